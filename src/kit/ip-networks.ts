import { BlockList, isIP, isIPv6 } from 'node:net'

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const

/** A set of IP networks. IPv4 that is mapped into IPv6 is IPv4. */
export class IpNetworks {
  readonly #list = new BlockList()

  /** `networks`: addresses, or networks such as `10.1.0.0/16`. Throws a `RangeError` that names all that are neither. */
  constructor(readonly networks: readonly string[]) {
    const wrong = networks.filter((network) => !this.#add(network)).map((network) => `"${network}"`)
    if (wrong.length === 0) return
    const are =
      wrong.length === 1 ? 'is neither an address nor a network' : 'are neither addresses nor networks'
    throw new RangeError(`${wrong.join(', ')} ${are} such as 10.1.0.0/16`)
  }

  /** False also for what is no address. */
  has(address: string): boolean {
    const version = isIP(address)
    return version !== 0 && this.#list.check(address, FAMILIES[version as 4 | 6])
  }

  /** False for what is neither an address nor a network. */
  #add(network: string): boolean {
    const [address = '', bits, ...rest] = network.split('/')
    const version = isIP(address)
    const longest = version === 4 ? 32 : 128
    const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
    if (version === 0 || !isLength || rest.length > 0) return false
    this.#list.addSubnet(address, Number(bits ?? longest), FAMILIES[version as 4 | 6])
    return true
  }
}

/** An address of IPv4 or IPv6. */
export const isIpAddress = (text: string): boolean => isIP(text) !== 0

/** The sixteen bytes of an IPv6 address without a zone; undefined for what is none. */
export function ipv6Bytes(address: string): readonly number[] | undefined {
  if (!isIPv6(address)) return undefined
  // In one form: groups of hexadecimal digits, also where IPv4 was written at its end.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [front, back] = [bytesOf(before), bytesOf(after ?? '')]
  return [...front, ...Array<number>(16 - front.length - back.length).fill(0), ...back]
}

const bytesOf = (groups: string): number[] =>
  groups === ''
    ? []
    : groups.split(':').flatMap((group) => {
        const value = Number.parseInt(group, 16)
        return [value >> 8, value & 0xff]
      })
