import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SinkRecord } from '../../src/gateway/sinks/sink-record.js'
import type { SinkParts } from '../../src/gateway/sinks/sinks.js'
import { MemoryCollection } from './memory-collection.js'

/** What the sinks of a gateway in a test are made of; none is there at first. */
export const sinkParts = (parts: Partial<SinkParts> = {}): SinkParts => ({
  collection: new MemoryCollection<SinkRecord>(),
  journalId: '0123456789abcdef',
  localTargets: true,
  folder: join(tmpdir(), 'no-sinks'),
  ...parts,
})
