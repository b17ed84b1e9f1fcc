/** SECS-I: the share of the line's own rate that messages get, at several speeds, and messages over TCP. */
import type { DataMessage } from '../src/hsms/message.js'
import { Listeners } from '../src/hsms/tcp/listener.js'
import { systemClock } from '../src/kit/clock.js'
import { AROUND_LENGTH, blockCount } from '../src/secs1/block.js'
import { Secs1Driver } from '../src/secs1/secs1-driver.js'
import { BLOCK_DATA_BYTES, byteTimeAt } from '../src/secs1/settings.js'
import { Secs1Pair, secs1Settings } from '../test/secs1/secs1-pair.js'

const BODY_BYTES = 20_000
const MESSAGES = 20
/** A turn of the line and of both programs takes so long, in milliseconds. */
const TURN_MS = 0.2

/** What the blocks allow: ENQ, EOT, the block and ACK pass one after the other, and nothing waits. */
function leastSeconds(bytes: number, byteTime: number): number {
  const blocks = blockCount(bytes)
  const onLine = bytes + blocks * (10 + AROUND_LENGTH + 3)
  return (onLine * byteTime) / 1000
}

/** Seconds of made-up time for messages without reply over a line of this speed. */
function onLine(baudRate: number): number {
  const pair = new Secs1Pair({ byteTime: byteTimeAt(baudRate) }, undefined, TURN_MS)
  const body = new Uint8Array(BODY_BYTES)
  const began = pair.now
  for (let count = 0; count < MESSAGES; count += 1) {
    const message = { stream: 6, function: 11, wait: false, sessionId: 0, systemBytes: count + 1, body }
    pair.feed('equipment', { kind: 'send', message })
  }
  while (pair.received.host.length < MESSAGES) pair.run(pair.now + 10)
  return (pair.now - began) / 1000
}

for (const baudRate of [9_600, 19_200, 38_400, 57_600, 115_200]) {
  const took = onLine(baudRate)
  const least = MESSAGES * leastSeconds(BODY_BYTES, byteTimeAt(baudRate))
  console.log(
    `${baudRate} baud: ${((MESSAGES * BODY_BYTES) / took).toFixed(0)} bytes/s, ${(least / took).toFixed(3)} of what blocks of ${BLOCK_DATA_BYTES} bytes allow`,
  )
}

/** Replies per second over TCP of this machine, one primary at a time; and bytes per second of long messages. */
async function overTcp(bodyBytes: number, count: number): Promise<number> {
  const listeners = new Listeners()
  const world = { clock: systemClock, listeners }
  const equipment = new Secs1Driver(secs1Settings('equipment', { port: 0 }), world)
  equipment.received.on(({ message }) => {
    equipment.send({ ...message, function: message.function + 1, wait: false, body: new Uint8Array() })
  })
  await equipment.start()
  const host = new Secs1Driver(secs1Settings('host', { port: equipment.boundPort as number }), world)
  await host.start()
  while (host.state !== 'SELECTED') await new Promise((resolve) => setTimeout(resolve, 10))
  const began = performance.now()
  for (let at = 0; at < count; at += 1) {
    const systemBytes = host.reserve() as number
    const body = new Uint8Array(bodyBytes)
    const message: DataMessage = { sessionId: 0, stream: 7, function: 3, wait: true, systemBytes, body }
    const { kind } = await host.request(message)
    if (kind !== 'replied') throw new Error(kind)
  }
  const seconds = (performance.now() - began) / 1000
  await Promise.all([host.stop(), equipment.stop()])
  return count / seconds
}

const small = await overTcp(10, 2_000)
console.log(`TCP, 10 bytes: ${small.toFixed(0)} primaries with reply per second, one at a time`)
const large = await overTcp(BODY_BYTES, 100)
console.log(`TCP, ${BODY_BYTES} bytes: ${((large * BODY_BYTES) / 1024).toFixed(0)} KiB/s`)
