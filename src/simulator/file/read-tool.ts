import type { ToolSettings } from '../gem300/tool-settings.js'
import { milliseconds } from './reading.js'
import type { ModelFile } from './schema.js'

/** The settings of a model's tool; undefined where it has none. */
export function readTool({ gem300 }: ModelFile): ToolSettings | undefined {
  if (!gem300) return undefined
  return {
    events: gem300.events ?? 'transitions',
    objspec: gem300.objspec ?? 'Equipment',
    jobCreation: gem300.job_creation ?? 'both',
    start: gem300.start ?? 'as_requested',
    release: gem300.release ?? 'auto',
    substrateNumbers: gem300.substrate_numbers ?? 'standard',
    slotCodes: gem300.slot_codes ?? 'standard',
    portType: gem300.port_type ?? 'LoadPort',
    jobMessages: gem300.job_messages ?? 'S16F7',
    queue: gem300.queue ?? 8,
    loadTime: milliseconds(gem300.load_time ?? 0.5),
    setUpTime: milliseconds(gem300.set_up_time ?? 0.5),
    moveTime: milliseconds(gem300.move_time ?? 0.2),
    processTime: milliseconds(gem300.process_time ?? 2),
  }
}
