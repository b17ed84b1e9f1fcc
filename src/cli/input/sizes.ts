import { wrongUsage } from '../errors/failure.js'

const UNITS = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
} as const

/** Bytes of `512MiB`, `2GiB` or `500MB`, and `least` of them or more; fractions are taken, a bare number is not. */
export function parseSize(text: string, flag: string, least?: '64KiB' | '16MiB' | '64MiB'): number {
  const bytes = bytesOf(text)
  if (bytes >= (least === undefined ? 0 : bytesOf(least)) && Number.isSafeInteger(bytes)) return bytes
  const sizes = least === undefined ? 'a size' : `a size of ${least} or more,`
  throw wrongUsage(`${flag} takes ${sizes} such as 512MiB or 2GiB, not "${text}"`)
}

function bytesOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([KMGT]i?B)$/.exec(text) ?? []
  return Math.round(Number(amount) * UNITS[unit as keyof typeof UNITS])
}
