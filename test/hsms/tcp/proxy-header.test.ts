import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { internetAddress } from '../../../src/hsms/tcp/internet-address.js'
import {
  addressOf,
  MAX_HEADER_LENGTH,
  type ProxyHeader,
  proxyHeader,
  readProxyHeader,
} from '../../../src/hsms/tcp/proxy-header.js'
import { hexBytes, vectors } from '../../support/vectors.js'

interface HeaderVector {
  readonly hex: string
  readonly header?: 'local' | { source: string; destination: string; extensions: number[] }
  readonly rest?: string
  readonly fault?: string
}

function shown(header: ProxyHeader): HeaderVector['header'] {
  if (header.command === 'local') return 'local'
  const { source, destination, extensions } = header
  const [from = '', to = ''] = [source, destination].map((end) => {
    const address = addressOf(end)
    return `${address.includes(':') ? `[${address}]` : address}:${end.port}`
  })
  return { source: from, destination: to, extensions: extensions.map(({ type }) => type) }
}

describe.each(vectors<HeaderVector>('proxy-headers.json'))('$name', ({ hex, header, rest, fault }) => {
  const bytes = hexBytes(hex)

  test('is read whole', () => {
    const read = readProxyHeader(bytes)
    if (fault !== undefined) {
      expect(read).toEqual({ kind: 'fault', detail: expect.stringContaining(fault) })
    } else if (header === undefined) {
      expect(read).toEqual({ kind: 'other' })
    } else {
      if (read.kind !== 'header') throw new Error(read.kind)
      expect(shown(read.header)).toEqual(header)
      expect(Buffer.from(bytes.subarray(read.length)).toString('latin1')).toBe(rest)
    }
  })

  test('is read in any pieces: partial until it is whole, and the same after it', () => {
    const whole = readProxyHeader(bytes)
    const kinds = Array.from({ length: bytes.length + 1 }, (_, length) =>
      readProxyHeader(bytes.subarray(0, length)),
    )
    const decided = kinds.findIndex(({ kind }) => kind !== 'partial')
    for (const later of kinds.slice(decided)) expect(later).toEqual(whole)
  })
})

const end = (length: number) =>
  fc.record({
    bytes: fc.uint8Array({ minLength: length, maxLength: length }),
    port: fc.integer({ min: 0, max: 0xffff }),
  })
const connection = fc
  .constantFrom(4, 16)
  .chain((length) => fc.record({ source: end(length), destination: end(length) }))
const extension = fc.record({
  type: fc.integer({ min: 0, max: 255 }),
  value: fc.uint8Array({ maxLength: 200 }),
})

test('what is written is read again, and nothing after it is touched', () => {
  const given = fc.record({
    connection,
    extensions: fc.array(extension, { maxLength: 10 }),
    after: fc.uint8Array(),
  })
  fc.assert(
    fc.property(given, ({ connection: { source, destination }, extensions, after }) => {
      const written = proxyHeader({ source, destination, extensions })
      const read = readProxyHeader(Buffer.concat([written, after]))
      if (read.kind !== 'header' || read.header.command !== 'proxy') throw new Error(read.kind)
      expect(read.length).toBe(written.length)
      expect(read.header).toMatchObject({ source, destination })
      expect(read.header.extensions.map(({ type, value }) => ({ type, value }))).toEqual(extensions)
      for (const { offset, value } of read.header.extensions)
        expect(new Uint8Array(written.subarray(offset, offset + value.length))).toEqual(value)
    }),
  )
})

test('any bytes after the signature are a header, the beginning of one, or a fault', () => {
  const signature = hexBytes('0d0a0d0a000d0a515549540a')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const read = readProxyHeader(Buffer.concat([signature, bytes]))
      expect(['header', 'partial', 'fault']).toContain(read.kind)
    }),
    { numRuns: 2_000 },
  )
})

test('no beginning of a header is kept beyond the longest one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 2, maxLength: 2 }), (length) => {
      const head = Buffer.concat([hexBytes('0d0a0d0a000d0a515549540a2111'), length])
      expect(readProxyHeader(Buffer.concat([head, Buffer.alloc(MAX_HEADER_LENGTH)])).kind).not.toBe('partial')
    }),
  )
})

test.each([
  ['10.0.0.5:5000', '10.0.0.6:5000', '10.0.0.5'],
  ['[2001:db8::5]:5000', '[2001:db8::6]:5000', '2001:db8::5'],
  ['10.0.0.5:5000', '[2001:db8::6]:5000', '10.0.0.5'],
  ['[::ffff:10.0.0.5]:5000', '[::ffff:10.0.0.6]:5000', '10.0.0.5'],
])('a connection from %s to %s is from %s', (from, to, source) => {
  const read = readProxyHeader(
    proxyHeader({ source: internetAddress(from), destination: internetAddress(to) }),
  )
  if (read.kind !== 'header' || read.header.command !== 'proxy') throw new Error(read.kind)
  expect(addressOf(read.header.source)).toBe(source)
})
