/** Type of an Enhanced Packet Block, its length without packet and options, and its option that counts what is missing. */
const PACKET = 6
const PACKET_HEAD = 28
const DROP_COUNT = 4

/** How many of the bytes are whole pcapng blocks: the length of a block is after its type. */
export function wholeBlocks(bytes: Buffer): number {
  let whole = 0
  for (const { end } of blocksOf(bytes)) whole = end
  return whole
}

/** How many records whole blocks say are missing before their packets (pcapng, epb_dropcount). */
export function recordsLost(blocks: Uint8Array): number {
  const bytes = Buffer.from(blocks.buffer, blocks.byteOffset, blocks.length)
  let lost = 0
  for (const { start, end } of blocksOf(bytes)) {
    if (bytes.readUInt32LE(start) === PACKET && end - start > PACKET_HEAD)
      lost += dropCount(bytes, start, end)
  }
  return lost
}

function* blocksOf(bytes: Buffer): Generator<{ readonly start: number; readonly end: number }> {
  let start = 0
  while (start + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(start + 4)
    if (length < 12 || start + length > bytes.length) return
    yield { start, end: start + length }
    start += length
  }
}

const padded = (length: number): number => Math.ceil(length / 4) * 4

function dropCount(bytes: Buffer, start: number, end: number): number {
  let at = start + PACKET_HEAD + padded(bytes.readUInt32LE(start + 20))
  while (at + 4 <= end - 4) {
    const code = bytes.readUInt16LE(at)
    const length = bytes.readUInt16LE(at + 2)
    if (code === 0) return 0
    if (code === DROP_COUNT && length === 8 && at + 12 <= end) return Number(bytes.readBigUInt64LE(at + 4))
    at += 4 + padded(length)
  }
  return 0
}
