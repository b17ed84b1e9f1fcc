import type { Equipment } from '../../contract/equipment.js'
import { addressText } from '../../inspection/dialling.js'
import { namesOf } from './unreached.js'

type Placed = Pick<Equipment, 'name' | 'mode'> &
  Partial<Pick<Equipment, 'ip_address' | 'port' | 'serial_port'>>

/** Whether the gateway dials it over TCP: whoever dials in has an address of its own. */
const isDialled = ({ mode, serial_port = null }: Placed): boolean =>
  mode === 'passive' && serial_port === null

/** A warning for each of these that the gateway dials at the address of other equipment. */
export function sharedAddressNotes(names: readonly string[], all: readonly Placed[]): readonly string[] {
  const byAddress = new Map<string, Placed[]>()
  for (const one of all.filter(isDialled)) {
    const address = addressText(one)
    byAddress.set(address, [...(byAddress.get(address) ?? []), one])
  }
  return [...byAddress].flatMap(([address, there]) =>
    there.length > 1 && there.some(({ name }) => names.includes(name))
      ? [`${namesOf(there)} have the same address, ${address}, and most equipment accepts one connection.`]
      : [],
  )
}
