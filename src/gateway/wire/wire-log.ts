import type { WireRecord } from '../../contract/topics/wire.js'
import { Capture } from '../../hsms/capture/capture.js'
import type { Observed } from '../equipment/registry.js'
import type { Reading } from '../records/reading.js'
import type { Passed } from './wire-reader.js'
import { viewInTurns } from './wire-view.js'

/** Access to the equipment whose wire can be watched. */
export interface WatchedEquipment {
  /** Throws `equipment_not_found`. */
  observed(id: string): Pick<Observed, 'record' | 'watch'>
  readingOf(id: string): Reading
}

/**
 * The traffic on the connections of equipment, from now on until `signal` aborts, the equipment is removed, or
 * `count` HSMS messages were yielded. A reader that is too slow loses records, and gets the number of lost ones.
 */
export class EquipmentWires {
  constructor(readonly equipment: WatchedEquipment) {}

  /** Throws `equipment_not_found`. */
  follow(equipmentId: string, count: number, signal: AbortSignal): AsyncIterable<WireRecord> {
    const { watch } = this.equipment.observed(equipmentId)
    return this.#view(equipmentId, first(count, watch.watch(signal)))
  }

  /** The same as pcapng blocks; `program` writes them. Throws `equipment_not_found`. */
  capture(
    equipmentId: string,
    program: string,
    count: number,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    const { record, watch } = this.equipment.observed(equipmentId)
    const { name, ip_address, port, mode, transport, serial_port } = record
    const dialled = mode === 'passive' ? `dialled at ${ip_address}:${port}` : `dials in from ${ip_address}`
    const who = serial_port === null ? dialled : `at the serial port ${serial_port}`
    const capture = new Capture({
      program,
      name,
      description: `${transport === 'hsms' ? 'HSMS' : 'SECS-I'} of ${name}, ${who}`,
      dialler: mode === 'passive' ? 'local' : 'remote',
    })
    return written(capture, first(count, watch.watch(signal)))
  }

  async *#view(equipmentId: string, all: AsyncIterable<Passed>): AsyncGenerator<WireRecord> {
    for await (const passed of all) yield viewInTurns(passed, this.equipment.readingOf(equipmentId))
  }
}

/** All records up to the `count`-th frame. */
async function* first(count: number, all: AsyncIterable<Passed>): AsyncGenerator<Passed> {
  let left = count
  for await (const passed of all) {
    yield passed
    if (passed.kind === 'frame') left -= 1
    if (left <= 0) return
  }
}

async function* written(capture: Capture, all: AsyncIterable<Passed>): AsyncGenerator<Uint8Array> {
  yield capture.begin()
  for await (const passed of all) {
    if (passed.kind === 'state') {
      if (passed.lost > 0) capture.lose(passed.lost)
      capture.stands(passed.endpoints)
    } else {
      yield* capture.add(passed, passed.at)
    }
  }
}
