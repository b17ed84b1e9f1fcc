import { Capture } from '../hsms/capture/capture.js'
import type { Clock } from '../kit/clock.js'
import type { Unsubscribe } from '../kit/signal.js'
import type { Simulator } from './simulator.js'

/** Writes the frames of a simulator as a capture that Wireshark opens (pcapng), until the returned function is called. */
export function captureWire(
  simulator: Simulator,
  clock: Clock,
  program: string,
  write: (blocks: Uint8Array) => void,
): Unsubscribe {
  const { model, dials, isSecs1 } = simulator
  const capture = new Capture({
    program,
    name: model.name,
    description: `${isSecs1 ? 'SECS-I' : 'HSMS'} of the simulated ${model.name}`,
    dialler: dials ? 'local' : 'remote',
  })
  write(capture.begin())
  return simulator.wire.on((record) => {
    for (const blocks of capture.add(record, clock.date().getTime() * 1000)) write(blocks)
  })
}
