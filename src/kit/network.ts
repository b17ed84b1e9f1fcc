/** The network of an IP address: the address itself, or of IPv6 the 64 bits that one host usually has to itself. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head, tail] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = tail ? Array(Math.max(0, 8 - (head?.length ?? 0) - tail.length)).fill('0') : []
  return [...(head ?? []), ...zeros, ...(tail ?? [])].slice(0, 4).join(':')
}
