import type { CarrierAcknowledge } from '../../gem300/messages/carrier-bodies.js'

/** ERRCODE (SEMI E5), of those that this tool has. */
export const ERRCODE = {
  unknownSpecifier: 1,
  unknownType: 2,
  unknownObject: 3,
  unknownAttribute: 4,
  readOnly: 5,
  badValue: 7,
  idInUse: 11,
  parametersWrong: 12,
  notSupported: 14,
  busy: 15,
  notAvailable: 16,
  wrongState: 17,
  recipe: 21,
  noSuchPort: 48,
  portInUse: 49,
  noCarrier: 50,
  ofSupplier: 64,
} as const

const CAACK: Readonly<Record<number, CarrierAcknowledge>> = {
  [ERRCODE.notSupported]: 'INVALID_COMMAND',
  [ERRCODE.busy]: 'CANNOT_PERFORM_NOW',
  [ERRCODE.notAvailable]: 'CANNOT_PERFORM_NOW',
  [ERRCODE.wrongState]: 'INVALID_STATE',
}

/** A request of the host that the tool does not carry out. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }

  /** How S3F18 and S3F26 say it. */
  get caack(): CarrierAcknowledge {
    return CAACK[this.code] ?? 'INVALID_DATA'
  }

  get errors(): readonly { readonly ERRCODE: number; readonly ERRTEXT: string }[] {
    return [{ ERRCODE: this.code, ERRTEXT: this.message.slice(0, 80) }]
  }
}
