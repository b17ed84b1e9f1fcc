import { networkInterfaces } from 'node:os'
import type { Fault } from '../../contract/errors.js'
import type { Tap } from '../../contract/topics/equipment/equipment-tap.js'

interface Tapped {
  readonly mode: string
  readonly ip_address: string | null
  readonly port: number | null
  readonly tap: Tap | null
}

/** Why a tap would dial the port at which it listens itself; none where it does not, or did so before. */
export function tapLoopFaults(after: Tapped, before: Tapped | undefined): readonly Fault[] {
  if (!after.tap || !dialsItself(after) || (before && dialsItself(before))) return []
  const { mode, ip_address, port, tap } = after
  return mode === 'passive'
    ? [
        {
          pointer: '/tap/listen_port',
          detail: `is the port of the equipment itself, and ${ip_address} is an address of this machine: the tap would dial itself. Give it another port than ${port}`,
        },
      ]
    : [
        {
          pointer: '/tap/host_port',
          detail: `is the port that the equipment dials, and ${tap.host_address} is an address of this machine: the tap would dial itself. Give the port of the host`,
        },
      ]
}

function dialsItself({ mode, ip_address, port, tap }: Tapped): boolean {
  if (!tap) return false
  return mode === 'passive'
    ? port === tap.listen_port && isOwnAddress(ip_address)
    : port === tap.host_port && isOwnAddress(tap.host_address)
}

const isOwnAddress = (address: string | null): boolean =>
  address !== null &&
  (address.startsWith('127.') ||
    Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address)))
