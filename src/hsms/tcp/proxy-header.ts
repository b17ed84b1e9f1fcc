import { addressText, type InternetAddress } from './internet-address.js'

/** The header of the PROXY protocol, version 2 (haproxy.org: proxy-protocol.txt, section 2.2). */
export type ProxyHeader =
  /** The proxy itself has made the connection, such as to check whether somebody listens. */
  { readonly command: 'local' } | ProxiedConnection

/** A connection that is forwarded. */
export interface ProxiedConnection {
  readonly command: 'proxy'
  /** Who has made the connection. */
  readonly source: InternetAddress
  /** What it was made to; an address of the same family. */
  readonly destination: InternetAddress
  readonly extensions: readonly Extension[]
}

/** A TLV of the header. */
export interface Extension {
  /** 0 to 255; 0xE0 to 0xEF are for applications. */
  readonly type: number
  readonly value: Uint8Array
  /** Where in the header the value begins, in bytes. */
  readonly offset: number
}

export type ProxyHeaderRead =
  | { readonly kind: 'header'; readonly header: ProxyHeader; readonly length: number }
  /** So far it may become a header. */
  | { readonly kind: 'partial' }
  /** It does not begin as a header does. */
  | { readonly kind: 'other' }
  | { readonly kind: 'fault'; readonly detail: string }

/** No HSMS frame begins so: it would have a length of 218 MB. */
const SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a)
const FIXED_LENGTH = 16
/** The longest header that is read, in bytes; HAProxy's are less than 600. */
export const MAX_HEADER_LENGTH = 4096
const COMMANDS = ['local', 'proxy'] as const
/** TCP over IPv4 and over IPv6, with the length of an address. */
const ADDRESS_LENGTHS = new Map([
  [0x11, 4],
  [0x21, 16],
])
const EXTENSION_HEAD = 3

/** Reads the header that `bytes` begin with. */
export function readProxyHeader(bytes: Uint8Array): ProxyHeaderRead {
  if (SIGNATURE.some((byte, at) => at < bytes.length && bytes[at] !== byte)) return { kind: 'other' }
  if (bytes.length < FIXED_LENGTH) return { kind: 'partial' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const versionAndCommand = view.getUint8(12)
  const command = versionAndCommand >> 4 === 2 ? COMMANDS[versionAndCommand & 0x0f] : undefined
  if (!command) return fault(`version and command 0x${hex(versionAndCommand)} are not known`)
  const length = FIXED_LENGTH + view.getUint16(14)
  if (length > MAX_HEADER_LENGTH)
    return fault(`${length} bytes are too long, ${MAX_HEADER_LENGTH} is the most`)
  if (bytes.length < length) return { kind: 'partial' }
  if (command === 'local') return { kind: 'header', header: { command }, length }
  const family = view.getUint8(13)
  const addressLength = ADDRESS_LENGTHS.get(family)
  if (addressLength === undefined)
    return fault(`it names no TCP addresses: family and protocol 0x${hex(family)}`)
  const ports = FIXED_LENGTH + 2 * addressLength
  const end = ports + 4
  if (length < end) return fault(`${length} bytes are too short for its addresses`)
  const copy = Uint8Array.from(bytes.subarray(0, length))
  const extensions = extensionsOf(copy, end)
  if (!extensions) return fault('its last TLV is cut off')
  const source = copy.subarray(FIXED_LENGTH, FIXED_LENGTH + addressLength)
  const destination = copy.subarray(FIXED_LENGTH + addressLength, ports)
  const header = {
    command,
    source: { bytes: source, port: view.getUint16(ports) },
    destination: { bytes: destination, port: view.getUint16(ports + 2) },
    extensions,
  }
  return { kind: 'header', header, length }
}

/** The TLVs from `start` on; undefined where the last one is not whole. */
function extensionsOf(header: Uint8Array, start: number): Extension[] | undefined {
  const view = new DataView(header.buffer)
  const extensions: Extension[] = []
  for (let at = start; at < header.length; ) {
    const offset = at + EXTENSION_HEAD
    if (offset > header.length) return undefined
    const end = offset + view.getUint16(at + 1)
    if (end > header.length) return undefined
    extensions.push({ type: view.getUint8(at), value: header.subarray(offset, end), offset })
    at = end
  }
  return extensions
}

/** The bytes of a header. Addresses of two families both become IPv6. */
export function proxyHeader({
  source,
  destination,
  extensions = [],
}: Pick<ProxiedConnection, 'source' | 'destination'> & {
  readonly extensions?: readonly Pick<Extension, 'type' | 'value'>[]
}): Uint8Array {
  const isIPv4 = source.bytes.length === 4 && destination.bytes.length === 4
  const addresses = [source, destination].map(({ bytes }) => (isIPv4 ? bytes : mapped(bytes)))
  const tlvs = extensions.flatMap(({ type, value }) => [Uint8Array.of(type), uint16(value.length), value])
  const rest = [...addresses, uint16(source.port), uint16(destination.port), ...tlvs]
  const length = rest.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([SIGNATURE, Uint8Array.of(0x21, isIPv4 ? 0x11 : 0x21), uint16(length), ...rest])
}

/** An address as text; IPv4 that was mapped into IPv6 is IPv4. */
export const addressOf = ({ bytes }: InternetAddress): string => addressText(bytes)

const mapped = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 4 ? Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...bytes) : bytes

const uint16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 0xff)

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

const fault = (detail: string): ProxyHeaderRead => ({ kind: 'fault', detail })
