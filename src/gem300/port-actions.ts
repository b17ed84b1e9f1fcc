import { type Item, itemsIn, U1 } from '../secs2/item.js'

/** What a host asks of a load port with S3F25. */
export type PortAction = 'in_service' | 'out_of_service' | 'reserve' | 'cancel_reservation'

/** PORTACTION and its parameters. */
export interface PortActionWords {
  readonly PORTACTION: string
  readonly PARAMS: readonly { readonly PARAMNAME: string; readonly PARAMVAL: Item }[]
}

export type PortActions = Readonly<Record<PortAction, PortActionWords>>

const service = (value: number): PortActionWords => ({
  PORTACTION: 'ChangeServiceStatus',
  PARAMS: [{ PARAMNAME: 'ServiceStatus', PARAMVAL: U1(value) }],
})
const alone = (word: string): PortActionWords => ({ PORTACTION: word, PARAMS: [] })

const RESERVATIONS = {
  reserve: alone('ReserveAtPort'),
  cancel_reservation: alone('CancelReservationAtPort'),
} as const

/** `standard` is the default; each of the others has one source that is not a tool's own. */
export const PORT_ACTIONS = {
  standard: { in_service: service(1), out_of_service: service(0), ...RESERVATIONS },
  /** ServiceStatus as a port transfer state, of which 4 is in service. */
  in_service_4: { in_service: service(4), out_of_service: service(0), ...RESERVATIONS },
  /** The action is the state itself. */
  words: { in_service: alone('InService'), out_of_service: alone('OutOfService'), ...RESERVATIONS },
  upper_case: {
    in_service: alone('INSERVICE'),
    out_of_service: alone('OUTOFSERVICE'),
    reserve: alone('RESERVATIONATPORT'),
    cancel_reservation: alone('CANCELRESERVATIONATPORT'),
  },
} as const satisfies Record<string, PortActions>

const WORDS: Readonly<Record<string, PortAction>> = {
  INSERVICE: 'in_service',
  OUTOFSERVICE: 'out_of_service',
  RESERVEATPORT: 'reserve',
  RESERVATIONATPORT: 'reserve',
  CANCELRESERVATIONATPORT: 'cancel_reservation',
}

const bare = (word: string): string => word.toUpperCase().replace(/[^A-Z]/g, '')

/** What an S3F25 asks for, in any of the ways in which hosts say it; undefined for none of them. */
export function portActionOf({ PORTACTION, PARAMS }: PortActionWords): PortAction | undefined {
  const word = bare(PORTACTION)
  if (word !== 'CHANGESERVICESTATUS') return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  const status = PARAMS.find(({ PARAMNAME }) => bare(PARAMNAME) === 'SERVICESTATUS')?.PARAMVAL
  if (status === undefined || itemsIn(status).length > 0) return undefined
  const value = String(status.format === 'L' ? '' : status.value)
  if (/^[14]$/.test(value)) return 'in_service'
  if (value === '0') return 'out_of_service'
  const named = WORDS[bare(value)]
  return named === 'in_service' || named === 'out_of_service' ? named : undefined
}
