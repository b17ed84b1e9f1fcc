import { isIPv6, SocketAddress } from 'node:net'

/** One end of a TCP connection. */
export interface InternetAddress {
  /** Four bytes, or sixteen. */
  readonly bytes: Uint8Array
  readonly port: number
}

const PLACE = /^\[?([^[\]]+)\]?:(\d+)$/
const MAPPED = /^::ffff:(?=\d+\.)/i

/** Reads `address:port`, IPv6 in brackets. IPv4 that was mapped into IPv6 is IPv4. */
export function internetAddress(text: string): InternetAddress {
  const [, address = '', port = ''] = PLACE.exec(text) ?? []
  const plain = address.replace(MAPPED, '').replace(/%[\s\S]*$/, '') // a zone says which interface, not which address
  const bytes = plain.includes(':') ? ipv6Bytes(plain) : ipv4Bytes(plain)
  if (bytes.some((byte) => !Number.isInteger(byte))) throw new Error(`${text} is no address and port`)
  return { bytes: Uint8Array.from(bytes), port: Number(port) }
}

function ipv4Bytes(text: string): number[] {
  const parts = text.split('.')
  return parts.length === 4 ? parts.map(Number) : [Number.NaN]
}

function ipv6Bytes(text: string): number[] {
  const [before = '', after] = text.split('::')
  const front = groupsOf(before)
  const back = groupsOf(after ?? '')
  const missing = 8 - front.length - back.length
  const zeros = after === undefined ? [] : Array<number>(Math.max(0, missing)).fill(0)
  const groups = [...front, ...zeros, ...back]
  return groups.length === 8 ? groups.flatMap((group) => [group >> 8, group & 0xff]) : [Number.NaN]
}

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

/** An address as it is compared: IPv4 also where it comes mapped into IPv6, IPv6 in its shortest form, with its zone. */
export function oneSpelling(address: string): string {
  if (!isIPv6(address)) return address
  const [plain = '', zone] = address.split('%')
  const shortest = new SocketAddress({ family: 'ipv6', address: plain }).address
  return zone === undefined ? shortest.replace(MAPPED, '') : `${shortest}%${zone}`
}

/** The address that these bytes are, four or sixteen. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? []
  return oneSpelling(groups.join(':'))
}

/** `address:port`, IPv6 in brackets. */
export const endpointText = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
