import { expect, test } from 'vitest'
import { KeptMappings, type MappingRecord } from '../../../src/gateway/gem300/mapping/kept-mappings.js'
import { MemoryCollection } from '../../support/memory-store.js'

const record = (applied_by: string): MappingRecord => ({
  id: 'eq_1',
  mapping: {},
  applied_at: '2026-01-31T08:00:00.000Z',
  applied_by,
})

/** Another process changes the record after each write, before the one that wrote it goes on. */
class ChangedElsewhere extends MemoryCollection<MappingRecord> {
  override async put(one: MappingRecord): Promise<void> {
    await super.put(one)
    await super.put(record('elsewhere'))
    this.changed.emit(one.id)
  }

  override async delete(...ids: readonly string[]): Promise<boolean> {
    const isDeleted = await super.delete(...ids)
    await this.put(record('elsewhere'))
    return isDeleted
  }
}

test('A mapping that another process changes right after a write is in memory as it is on disk', async () => {
  const used: string[] = []
  const kept = await KeptMappings.open(new ChangedElsewhere(), (id, variants) => {
    used.push(`${id} ${variants === undefined ? 'none' : 'some'}`)
  })
  await kept.put(record('here'))
  expect(kept.get('eq_1')?.record.applied_by).toBe('elsewhere')
  await kept.delete('eq_1')
  expect(kept.get('eq_1')?.record.applied_by).toBe('elsewhere')
  expect(used.at(-1)).toBe('eq_1 some')
})
