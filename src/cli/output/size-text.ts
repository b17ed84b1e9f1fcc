const MIB = 1024 * 1024
const GIB = 1024 * MIB

/** Bytes as a person reads them, such as `5.0 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes >= GIB) return `${(bytes / GIB).toFixed(1)} GiB`
  return bytes >= MIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${Math.ceil(bytes / 1024)} KiB`
}
