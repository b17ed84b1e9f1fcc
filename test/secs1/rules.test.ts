import { expect, test } from 'vitest'
import { byteTimeAt, SECS1_DEFAULTS } from '../../src/secs1/settings.js'
import { blockOf, Secs1Wire } from './secs1-wire.js'

/** What SEMI E4 demands, in our words, and how it is checked at exact times. */
interface Rule {
  readonly source: 'block transfer' | 'message protocol' | 'header' | 'transactions' | 'ours'
  readonly says: string
  check(): void
}

const rule = (source: Rule['source'], says: string, check: () => void): Rule => ({ source, says, check })

/** A block with a wrong checksum. */
function damaged(): Uint8Array {
  const bytes = blockOf()
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
  return bytes
}

const RULES: readonly Rule[] = [
  rule('block transfer', 'a block leaves after ENQ and EOT, and is done with ACK', () => {
    const wire = new Secs1Wire()
    wire.ask()
    expect(wire.left()).toEqual(['ENQ'])
    wire.peer('EOT')
    expect(wire.left()).toEqual(['S1F1#1E'])
    wire.peer('ACK').wait(20_000)
    expect(wire.left()).toEqual([])
  }),
  rule(
    'block transfer',
    'without EOT, ENQ is sent again after T2, RTY times; then the block has failed',
    () => {
      const wire = new Secs1Wire({ retries: 2 })
      wire.ask()
      expect(wire.left()).toEqual(['ENQ'])
      expect(wire.wait(9_999).left()).toEqual([])
      expect(wire.wait(1).left()).toEqual(['ENQ'])
      expect(wire.wait(10_000).left()).toEqual(['ENQ'])
      expect(wire.wait(9_999).fault).toBeUndefined()
      expect(wire.wait(1).fault).toBe('retry_limit')
      expect(wire.outcomes).toEqual(['lost'])
      expect(wire.protocol.counts.timeouts.t2).toBe(3)
    },
  ),
  rule('block transfer', 'without ACK within T2 after the block, the line is asked for again', () => {
    const wire = new Secs1Wire()
    wire.ask()
    wire.peer('EOT')
    wire.left()
    expect(wire.wait(9_999).left()).toEqual([])
    expect(wire.wait(1).left()).toEqual(['ENQ'])
    expect(wire.peer('EOT').left()).toEqual(['S1F1#1E'])
  }),
  rule('block transfer', 'T2 of a slow line begins when the last byte has left', () => {
    const wire = new Secs1Wire({ byteTime: 10 })
    wire.ask()
    expect(wire.wait(10_009).left()).toEqual(['ENQ'])
    expect(wire.wait(1).left()).toEqual(['ENQ'])
    wire.peer('EOT')
    wire.left()
    expect(wire.wait(10_129).left()).toEqual([])
    expect(wire.wait(1).left()).toEqual(['ENQ'])
    const receiver = new Secs1Wire({ byteTime: 10 })
    receiver.peer('ENQ')
    expect(receiver.wait(10_009).left()).toEqual(['EOT'])
    expect(receiver.wait(1).left()).toEqual(['NAK'])
    expect([300, 9_600].map((baudRate) => Math.round(byteTimeAt(baudRate) * 1000))).toEqual([33_333, 1_042])
  }),
  rule('block transfer', 'anything but ACK after a block makes it leave again at once; NAK as well', () => {
    for (const answer of ['NAK', 'EOT', 0x41] as const) {
      const wire = new Secs1Wire()
      wire.ask()
      wire.peer('EOT')
      wire.left()
      expect(wire.peer(answer).left()).toEqual(['ENQ'])
    }
  }),
  rule('block transfer', 'RTY 0 sends nothing twice', () => {
    const wire = new Secs1Wire({ retries: 0 })
    wire.ask()
    expect(wire.peer('EOT', 'NAK').fault).toBe('retry_limit')
    expect(wire.left()).toEqual(['ENQ', 'S1F1#1E'])
  }),
  rule('block transfer', 'each block has RTY of its own', () => {
    const wire = new Secs1Wire({ retries: 1 })
    wire.ask(300)
    wire.peer('EOT', 'NAK', 'EOT', 'ACK', 'EOT', 'NAK', 'EOT', 'ACK')
    expect(wire.left()).toEqual(['ENQ', 'S1F1#1', 'ENQ', 'S1F1#1', 'ENQ', 'S1F1#2E', 'ENQ', 'S1F1#2E'])
    expect(wire.fault).toBeUndefined()
  }),
  rule(
    'block transfer',
    'a message that starts to wait for the line does not reset the retry count of the current one',
    () => {
      const wire = new Secs1Wire({ retries: 1 })
      wire.ask()
      wire.wait(10_000).ask()
      expect(wire.wait(10_000).fault).toBe('retry_limit')
    },
  ),
  rule('block transfer', 'while EOT is awaited, other characters are ignored', () => {
    const wire = new Secs1Wire()
    wire.ask()
    expect(wire.peer('ACK', 'NAK', 0x00, 0xff).left()).toEqual(['ENQ'])
    expect(wire.peer('EOT').left()).toEqual(['S1F1#1E'])
  }),
  rule('block transfer', 'an idle line ignores everything but ENQ', () => {
    const wire = new Secs1Wire()
    expect(wire.peer('EOT', 'ACK', 'NAK', 0x41).wait(60_000).left()).toEqual([])
    expect(wire.protocol.counts.line.strays).toBe(4)
  }),
  rule('block transfer', 'ENQ is answered with EOT, a block that is right with ACK', () => {
    const wire = new Secs1Wire()
    expect(wire.peer('ENQ').left()).toEqual(['EOT'])
    expect(wire.peer(blockOf()).left()).toEqual(['ACK'])
    expect(wire.received).toEqual([{ kind: 'primary', name: 'S1F1', bytes: 0 }])
  }),
  rule('block transfer', 'without a length byte within T2 after EOT, NAK', () => {
    const wire = new Secs1Wire()
    wire.peer('ENQ')
    wire.left()
    expect(wire.wait(9_999).left()).toEqual([])
    expect(wire.wait(1).left()).toEqual(['NAK'])
    expect(wire.block().left()).toEqual(['EOT', 'ACK'])
  }),
  rule('block transfer', 'T1 between two bytes of a block ends it with NAK', () => {
    const wire = new Secs1Wire()
    wire.peer('ENQ', blockOf().subarray(0, 5))
    wire.left()
    expect(wire.wait(499).left()).toEqual([])
    wire.peer(blockOf().subarray(5, 6))
    expect(wire.wait(499).left()).toEqual([])
    expect(wire.wait(1).left()).toEqual(['NAK'])
    expect(wire.protocol.counts.timeouts.t1).toBe(1)
    expect(wire.received).toEqual([])
  }),
  ...[0, 9, 255].map((length) =>
    rule(
      'block transfer',
      `a length byte of ${length} is refused with NAK, once the peer is silent for T1`,
      () => {
        const wire = new Secs1Wire()
        wire.peer('ENQ', length)
        wire.left()
        wire.wait(400).peer(1, 2, 3)
        expect(wire.wait(499).left()).toEqual([])
        expect(wire.wait(1).left()).toEqual(['NAK'])
        expect(wire.protocol.counts.timeouts.t1).toBe(0)
      },
    ),
  ),
  rule('block transfer', 'a wrong checksum is refused with NAK, once the peer is silent for T1', () => {
    const wire = new Secs1Wire()
    wire.peer('ENQ', damaged())
    expect(wire.left()).toEqual(['EOT'])
    expect(wire.wait(499).left()).toEqual([])
    expect(wire.wait(1).left()).toEqual(['NAK'])
    expect(wire.received).toEqual([])
  }),
  rule(
    'block transfer',
    'where both ask, the slave takes the block of the master first, then sends its own',
    () => {
      const wire = new Secs1Wire({ isMaster: false })
      wire.ask()
      expect(wire.block().left()).toEqual(['ENQ', 'EOT', 'ACK', 'ENQ'])
      expect(wire.take().left()).toEqual(['S1F1#1E'])
      expect(wire.fault).toBeUndefined()
    },
  ),
  rule('block transfer', 'where both ask, the master ignores ENQ', () => {
    const wire = new Secs1Wire({ isMaster: true })
    wire.ask()
    expect(wire.peer('ENQ').left()).toEqual(['ENQ'])
    expect(wire.peer('EOT').left()).toEqual(['S1F1#1E'])
  }),
  rule('ours', 'a master with more to send leaves the line for T1 to a slave that asked', () => {
    const wire = new Secs1Wire({ isMaster: true })
    wire.ask(300)
    wire.peer('ENQ', 'EOT', 'ACK')
    expect(wire.left()).toEqual(['ENQ', 'S1F1#1'])
    expect(wire.wait(499).left()).toEqual([])
    expect(wire.block().left()).toEqual(['EOT', 'ACK', 'ENQ'])
    const silent = new Secs1Wire({ isMaster: true })
    silent.ask(300)
    silent.peer('ENQ', 'EOT', 'ACK')
    silent.left()
    expect(silent.wait(500).left()).toEqual(['ENQ'])
    expect(silent.protocol.counts.timeouts).toEqual(new Secs1Wire().protocol.counts.timeouts)
  }),
  rule('ours', 'a master that asks and sends no block does not keep a slave from the line forever', () => {
    const wire = new Secs1Wire({ isMaster: false, retries: 1 })
    wire.ask()
    for (let count = 0; count < 3; count += 1) wire.peer('ENQ').wait(10_000)
    expect(wire.fault).toBeUndefined()
    expect(wire.peer('ENQ').wait(10_000).fault).toBe('retry_limit')
  }),
  rule('ours', 'RTY 0: a damaged block of the peer does not end the line while a block of ours waits', () => {
    const wire = new Secs1Wire({ isMaster: false, retries: 0 })
    wire.ask()
    wire.peer('ENQ', damaged()).wait(500)
    expect(wire.left()).toEqual(['ENQ', 'EOT', 'NAK'])
    expect(wire.fault).toBeUndefined()
    expect(wire.block().left()).toEqual(['EOT', 'ACK', 'ENQ'])
    expect(wire.take().left()).toEqual(['S1F1#1E'])
  }),
  rule('block transfer', 'RTY begins anew when the slave has taken a block of the master', () => {
    const wire = new Secs1Wire({ isMaster: false, retries: 1 })
    wire.ask()
    expect(wire.wait(10_000).left()).toEqual(['ENQ', 'ENQ'])
    expect(wire.block().left()).toEqual(['EOT', 'ACK', 'ENQ'])
    expect(wire.wait(10_000).left()).toEqual(['ENQ'])
    expect(wire.fault).toBeUndefined()
    expect(wire.wait(10_000).fault).toBe('retry_limit')
  }),
  rule('ours', 'a slave that asked once and gave up costs the master T1 once', () => {
    const wire = new Secs1Wire({ isMaster: true })
    wire.ask(600)
    wire.peer('ENQ', 'EOT', 'ACK')
    expect(wire.wait(500).left()).toEqual(['ENQ', 'S1F1#1', 'ENQ'])
    expect(wire.peer('EOT', 'ACK').left()).toEqual(['S1F1#2', 'ENQ'])
    expect(wire.peer('EOT', 'ACK').left()).toEqual(['S1F1#3E'])
    const later = new Secs1Wire({ isMaster: true })
    later.ask()
    later.peer('ENQ', 'EOT', 'ACK').wait(500)
    later.left()
    later.ask()
    expect(later.left()).toEqual(['ENQ'])
  }),
  rule('ours', 'the master shows the ENQ that it ignores, and the error names two masters', () => {
    const wire = new Secs1Wire({ isMaster: true, retries: 0 })
    wire.feed({ kind: 'watch', on: true })
    wire.ask()
    expect(wire.peer('ENQ').wait(10_000).fault).toBe('retry_limit')
    expect(wire.seen('in')).toEqual(['ENQ'])
    expect(wire.of('changed').at(-1)?.fault?.detail).toContain('both ends are master')
    const granted = new Secs1Wire({ isMaster: true, retries: 1 })
    granted.ask()
    granted.peer('ENQ', 'EOT', 'NAK').wait(10_000)
    expect(granted.of('changed').at(-1)?.fault?.detail).toContain('does not respond to ENQ')
  }),
  rule('ours', 'all that the peer sends is shown, also a block that is cut short or damaged', () => {
    const wire = new Secs1Wire()
    wire.feed({ kind: 'watch', on: true })
    wire.peer('ENQ', 9).wait(500)
    wire.peer('ENQ', blockOf().subarray(0, 3)).wait(500)
    wire.peer('ENQ', damaged()).wait(1_000)
    wire.ask()
    wire.peer('EOT', 'NAK', 'EOT', 'ACK')
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
    expect(wire.seen('in')).toEqual([
      ...['ENQ', '09', 'ENQ', hex(blockOf().subarray(0, 3)), 'ENQ', hex(damaged())],
      ...['EOT', 'NAK', 'EOT', 'ACK'],
    ])
    expect(wire.protocol.counts.line).toMatchObject({ blocksIn: 2, blocksOut: 2, naksIn: 1, naksOut: 3 })
  }),
  rule('ours', 'bytes that mean nothing are shown', () => {
    const wire = new Secs1Wire()
    wire.feed({ kind: 'watch', on: true })
    wire.peer(Uint8Array.of(0x41, 0x42, 0x05))
    expect(wire.seen('in')).toEqual(['4142', 'ENQ'])
  }),
  rule(
    'ours',
    'a peer that asks once for a message is not interrupted in it, and has its reply after it',
    () => {
      for (const isMaster of [true, false]) {
        const wire = new Secs1Wire({ isMaster })
        const piece = new Uint8Array(244)
        const part = (number: number, systemBytes: number) =>
          blockOf({ number, systemBytes, isLast: number === 3 }, piece)
        wire.peer('ENQ', part(1, 5))
        wire.ask()
        wire.peer(part(2, 5), part(3, 5))
        expect(wire.left()).toEqual(['EOT', 'ACK', 'ACK', 'ACK', 'ENQ'])
        wire.take()
        wire.ask()
        wire.left()
        // It is known now: also a slow peer is awaited, up to T2, whatever pieces the bytes come in.
        wire.peer('EOT', 'ACK', 'ENQ', part(1, 6))
        wire.ask()
        wire.wait(9_000).peer(part(2, 6).subarray(0, 3), part(2, 6).subarray(3), part(3, 6))
        expect(wire.left()).toEqual(['S1F1#1E', 'EOT', 'ACK', 'ACK', 'ACK', 'ENQ'])
        expect(wire.received).toHaveLength(2)
        expect(wire.fault).toBeUndefined()
        wire.peer('EOT', 'ACK', 'ENQ', part(1, 7))
        wire.ask()
        expect(wire.wait(10_000).left()).toEqual(['S1F1#1E', 'EOT', 'ACK', 'ENQ'])
      }
    },
  ),
  rule('ours', 'a peer that asks for each block leaves us the line between two of them', () => {
    const wire = new Secs1Wire({ isMaster: true })
    wire.block({ number: 1, isLast: false }).block({ number: 2, isLast: false })
    wire.left()
    wire.ask()
    expect(wire.left()).toEqual(['ENQ'])
    wire.take().block({ number: 3, isLast: false })
    wire.ask()
    expect(wire.left()).toEqual(['S1F1#1E', 'EOT', 'ACK', 'ENQ'])
  }),
  rule('ours', 'a block that crosses our ENQ is taken in the middle of a message', () => {
    const wire = new Secs1Wire()
    wire.block({ number: 1, isLast: false }, new Uint8Array(244))
    wire.wait(600).ask()
    wire.peer(blockOf({ number: 2 }, new Uint8Array(244)))
    expect(wire.left()).toEqual(['EOT', 'ACK', 'ENQ', 'ACK', 'ENQ'])
    expect(wire.received).toHaveLength(1)
  }),
  rule('message protocol', 'a block that comes again is acknowledged and dropped', () => {
    const wire = new Secs1Wire()
    wire.block().block()
    expect(wire.left()).toEqual(['EOT', 'ACK', 'EOT', 'ACK'])
    expect(wire.received).toHaveLength(1)
    expect(wire.protocol.counts.line.duplicates).toBe(1)
    wire.block({ systemBytes: 78 })
    expect(wire.received).toHaveLength(2)
  }),
  rule(
    'message protocol',
    'a message has blocks of 244 bytes, numbered from 1, with the E-bit on the last',
    () => {
      for (const [length, blocks] of [
        [0, ['S1F1#1E']],
        [244, ['S1F1#1E']],
        [245, ['S1F1#1', 'S1F1#2E']],
        [488, ['S1F1#1', 'S1F1#2E']],
        [489, ['S1F1#1', 'S1F1#2', 'S1F1#3E']],
      ] as const) {
        const wire = new Secs1Wire()
        wire.ask(length)
        wire.take(blocks.length)
        expect(wire.left().filter((name) => name !== 'ENQ')).toEqual(blocks)
      }
    },
  ),
  rule('message protocol', 'a message of one block may have block number 0 or 1', () => {
    const wire = new Secs1Wire()
    wire.block({ number: 0 }).block({ number: 1, systemBytes: 78 })
    expect(wire.received).toHaveLength(2)
  }),
  rule('message protocol', 'blocks of several messages may alternate', () => {
    const wire = new Secs1Wire()
    const piece = new Uint8Array(244)
    for (const number of [1, 2, 3])
      for (const systemBytes of [5, 6]) wire.block({ number, systemBytes, isLast: number === 3 }, piece)
    expect(wire.received).toEqual([732, 732].map((bytes) => ({ kind: 'primary', name: 'S1F1', bytes })))
  }),
  rule('message protocol', 'a block that continues no message is dropped', () => {
    const wire = new Secs1Wire()
    wire.block({ number: 2 }).block({ number: 1, isLast: false }).block({ number: 3 })
    expect(wire.received).toEqual([])
    expect(wire.protocol.counts.line.unexpected).toBe(2)
    wire.block({ number: 2 })
    expect(wire.received).toHaveLength(1)
  }),
  rule('message protocol', 'a first block under the same header begins the message anew', () => {
    const wire = new Secs1Wire()
    const piece = new Uint8Array(100)
    wire.block({ number: 1, isLast: false }, piece).block({ number: 2, isLast: false }, piece)
    wire.block({ number: 1, isLast: false }, piece.subarray(1)).block({ number: 2 }, piece)
    expect(wire.received).toEqual([{ kind: 'primary', name: 'S1F1', bytes: 199 }])
  }),
  rule('message protocol', 'T4 between two blocks of a message drops it', () => {
    const first = { number: 1, isLast: false }
    const wire = new Secs1Wire()
    wire.block(first).wait(44_999).block({ number: 2 })
    expect(wire.received).toHaveLength(1)
    const late = new Secs1Wire()
    late.block(first).wait(45_000).block({ number: 2 })
    expect(late.received).toEqual([])
    expect(late.protocol.counts.timeouts.t4).toBe(1)
  }),
  rule('ours', 'so many messages may have come in part; a further one is dropped', () => {
    const wire = new Secs1Wire({ maxPartial: 2 })
    for (const systemBytes of [1, 2, 3]) wire.block({ systemBytes, number: 1, isLast: false })
    for (const systemBytes of [1, 2, 3]) wire.block({ systemBytes, number: 2 })
    expect(wire.received).toHaveLength(2)
  }),
  rule('ours', 'messages in part hold no more bytes than the longest message', () => {
    const wire = new Secs1Wire({ maxMessageLength: 400 })
    const piece = new Uint8Array(244)
    wire
      .block({ number: 1, isLast: false }, piece)
      .block({ number: 2, isLast: false }, piece)
      .block({ number: 3 })
    expect(wire.received).toEqual([])
    wire.block({ systemBytes: 80 }, piece)
    expect(wire.received).toHaveLength(1)
  }),
  rule('header', 'a message under another device ID is foreign, whatever its R-bit', () => {
    const wire = new Secs1Wire()
    wire.block({ deviceId: 3 }).block({ toHost: false, systemBytes: 5 })
    expect(wire.received.map(({ kind }) => kind)).toEqual(['other_device', 'primary'])
  }),
  rule('header', 'the R-bit is set from equipment to host', () => {
    for (const [side, first] of [
      ['host', 0x00],
      ['equipment', 0x80],
    ] as const) {
      const wire = new Secs1Wire({ deviceId: 5 }, side)
      wire.ask(0, { sessionId: 5 })
      wire.peer('EOT')
      expect(wire.of('write').at(-1)?.bytes.subarray(1, 3)).toEqual(Uint8Array.of(first, 5))
    }
  }),
  rule('transactions', 'T3 begins when the last block has left', () => {
    const wire = new Secs1Wire()
    wire.ask(245)
    wire.take().wait(9_000).take()
    expect(wire.wait(44_999).outcomes).toEqual([])
    expect(wire.wait(1).outcomes).toEqual(['timed_out'])
  }),
  rule('transactions', 'T3 ends with the first block of the reply; T4 bounds the rest', () => {
    const wire = new Secs1Wire()
    const systemBytes = wire.ask()
    const reply = { systemBytes, function: 2, wait: false }
    wire
      .take()
      .wait(44_999)
      .block({ ...reply, isLast: false }, new Uint8Array(244))
    wire.wait(44_999).block({ ...reply, number: 2 })
    expect(wire.outcomes).toEqual(['replied'])
    const cut = new Secs1Wire()
    const other = cut.ask()
    cut.take().block({ systemBytes: other, function: 2, wait: false, isLast: false })
    expect(cut.wait(44_999).outcomes).toEqual([])
    expect(cut.wait(1).outcomes).toEqual(['timed_out'])
  }),
  rule('transactions', 'a reply may take longer than T3 after its first block', () => {
    const timers = { ...SECS1_DEFAULTS.timers, t3: 10_000 }
    const wire = new Secs1Wire({ timers })
    const reply = { systemBytes: wire.ask(), function: 2, wait: false }
    wire.take().block({ ...reply, isLast: false }, new Uint8Array(244))
    wire
      .wait(30_000)
      .block({ ...reply, number: 2, isLast: false }, new Uint8Array(244))
      .wait(30_000)
      .block({ ...reply, number: 3 })
    expect(wire.outcomes).toEqual(['replied'])
  }),
  rule('transactions', 'a reply of several blocks under another device ID does not stop T3', () => {
    for (const isWhole of [true, false]) {
      const wire = new Secs1Wire({ timers: { ...SECS1_DEFAULTS.timers, t4: 20_000 } })
      const reply = { systemBytes: wire.ask(), function: 2, wait: false, deviceId: 3 }
      wire.take().block({ ...reply, isLast: false }, new Uint8Array(244))
      if (isWhole) wire.block({ ...reply, number: 2 })
      expect(wire.wait(44_999).outcomes).toEqual([])
      expect(wire.wait(1).outcomes).toEqual(['timed_out'])
    }
  }),
  rule('transactions', 'a reply that is too long ends its transaction', () => {
    const wire = new Secs1Wire({ maxMessageLength: 400 })
    const reply = { systemBytes: wire.ask(), function: 2, wait: false, isLast: false }
    wire
      .take()
      .block(reply, new Uint8Array(244))
      .block({ ...reply, number: 2 }, new Uint8Array(244))
    expect(wire.wait(45_000).outcomes).toEqual(['timed_out'])
  }),
  rule('transactions', 'a secondary without an open primary is a stray', () => {
    const wire = new Secs1Wire()
    wire.block({ function: 2, wait: false })
    expect(wire.received.map(({ kind }) => kind)).toEqual(['stray'])
  }),
  rule('ours', 'so many messages may wait for the line; then it is busy', () => {
    const wire = new Secs1Wire({ maxOpen: 2 })
    wire.ask()
    wire.ask()
    expect(wire.protocol.reserve()).toBeUndefined()
  }),
  rule('ours', 'four of the longest messages may wait for the line; with more the connection is lost', () => {
    const wire = new Secs1Wire({ maxMessageLength: 100 })
    const message = { sessionId: 0, stream: 1, function: 2, wait: false, systemBytes: 1 }
    for (let count = 0; count < 4; count += 1)
      wire.feed({ kind: 'send', message: { ...message, body: new Uint8Array(100) } })
    expect(wire.take(1).fault).toBeUndefined()
    wire.feed({ kind: 'send', message: { ...message, body: new Uint8Array(101) } })
    expect(wire.fault).toBe('connection_lost')
  }),
  rule('ours', 'what came in part of a long message counts until it is whole, dropped or lost', () => {
    for (const end of [
      (wire: Secs1Wire) => wire.block({ number: 270 }),
      (wire: Secs1Wire) => wire.wait(45_000),
      (wire: Secs1Wire) => {
        wire.ask()
        wire.peer('EOT', 'NAK')
      },
    ]) {
      const wire = new Secs1Wire({ retries: 0 })
      for (let number = 1; number < 270; number += 1)
        wire.block({ number, isLast: false }, new Uint8Array(244))
      expect(wire.of('arriving').map(({ bytes }) => bytes)).toEqual([269 * 244])
      end(wire)
      expect(wire.of('arriving').at(-1)).toMatchObject({ bytes: 0 })
    }
  }),
  rule('ours', 'what the peer causes is written as an answer, what we begin is not', () => {
    const wire = new Secs1Wire()
    wire.ask()
    wire.take().block()
    wire.peer('ENQ', damaged()).wait(500)
    expect(wire.of('write').map(({ isReply }) => isReply)).toEqual([false, false, true, true, true, true])
  }),
  rule('ours', 'a reply leaves before primaries that wait', () => {
    const wire = new Secs1Wire()
    wire.block()
    wire.ask()
    wire.ask(0, { function: 3 })
    const body = new Uint8Array()
    wire.feed({
      kind: 'send',
      message: { sessionId: 0, stream: 1, function: 2, wait: false, systemBytes: 77, body },
    })
    wire.left()
    wire.take(3)
    expect(wire.left()).toEqual(['S1F1#1E', 'ENQ', 'S1F2#1E', 'ENQ', 'S1F3#1E'])
  }),
  rule('ours', 'a primary whose transaction has ended does not leave any more', () => {
    const wire = new Secs1Wire()
    wire.ask()
    const systemBytes = wire.ask(0, { function: 3 })
    wire.feed({ kind: 'end', primary: { stream: 1, function: 3, systemBytes }, outcome: { kind: 'lost' } })
    wire.left()
    expect(wire.take(1).wait(1_000).left()).toEqual(['S1F1#1E'])
    // One that has begun is finished: half a message would be an error of the peer's.
    const begun = new Secs1Wire()
    const primary = { stream: 1, function: 1, systemBytes: begun.ask(300) }
    begun.peer('EOT').feed({ kind: 'end', primary, outcome: { kind: 'lost' } })
    begun.peer('ACK').take()
    expect(begun.left()).toEqual(['ENQ', 'S1F1#1', 'ENQ', 'S1F1#2E'])
  }),
  rule('ours', 'HSMS, Telnet and HTTP at the beginning of a TCP connection are named', () => {
    for (const bytes of [[0, 0, 0, 10, 0xff, 0xff], [0xff, 0xfd, 0x18], [...Buffer.from('GET / HTTP/1.1')]]) {
      for (const pieces of [[Uint8Array.from(bytes)], bytes]) {
        const wire = new Secs1Wire()
        expect(wire.peer(...pieces).fault).toBe('not_secs1')
      }
    }
    const serial = new Secs1Wire({ byteTime: 1 })
    expect(serial.peer(0xff, 0xfd, 0x18).fault).toBeUndefined()
  }),
  rule('ours', 'timers do not run while nothing is read', () => {
    const wire = new Secs1Wire()
    wire.ask()
    wire.left()
    wire.feed({ kind: 'pause' })
    expect(wire.wait(60_000).left()).toEqual([])
    wire.feed({ kind: 'resume' })
    expect(wire.wait(9_999).left()).toEqual([])
    expect(wire.wait(1).left()).toEqual(['ENQ'])
  }),
]

test.each(RULES)('$source: $says', ({ check }) => check())

test('no two rows say the same', () => {
  const said = RULES.map(({ says }) => says)
  expect(new Set(said).size).toBe(said.length)
})
