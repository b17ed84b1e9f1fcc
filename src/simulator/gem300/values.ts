import type { TypedValue } from '../../gem/typed-value.js'
import {
  CARRIER_ACCESSING_WORDS,
  CARRIER_ID_WORDS,
  SLOT_MAP_REASON_WORDS,
  SLOT_MAP_WORDS,
} from '../../gem300/carrier.js'
import { slotMapItem } from '../../gem300/carrier-attributes.js'
import { type CodeWords, codeOf } from '../../gem300/code-words.js'
import {
  ACCESS_MODE_WORDS,
  ASSOCIATION_WORDS,
  PORT_TRANSFER_WORDS,
  RESERVATION_WORDS,
} from '../../gem300/port.js'
import type { Gem300View } from '../../gem300/variants.js'
import { type Item, L } from '../../secs2/item.js'
import { toTypedJson } from '../../secs2/json.js'
import type { Carrier } from './carrier.js'
import type { DataVariable } from './definitions.js'
import type { LoadPort } from './load-port.js'
import type { Place, Substrate } from './substrate.js'

/** The number of an object that has ended, or that is not there: none of the tables has it. */
const NO_STATE = 255

export const codeIn = (words: CodeWords<string>, state: string): number => codeOf(words, state) ?? NO_STATE

export const u1 = (number: number): TypedValue => ({ U1: [number] })
export const typed = (item: Item): TypedValue => toTypedJson(item) as TypedValue

type Values = { readonly [Name in DataVariable]?: TypedValue }

export const portValues = ({ number, transfer, access, reservation, association, carrier }: LoadPort) =>
  ({
    PortID: u1(number),
    CarrierID: { A: carrier?.id ?? '' },
    PortTransferState: u1(codeIn(PORT_TRANSFER_WORDS, transfer.state)),
    AccessMode: u1(codeIn(ACCESS_MODE_WORDS, access.state)),
    PortReservationState: u1(codeIn(RESERVATION_WORDS, reservation.state)),
    PortAssociationState: u1(codeIn(ASSOCIATION_WORDS, association.state)),
  }) satisfies Values

export const carrierValues = (carrier: Carrier, view: Gem300View) =>
  ({
    CarrierID: { A: carrier.id },
    PortID: u1(carrier.port ?? 0),
    LocationID: { A: locationOf(carrier) },
    CarrierIDStatus: u1(codeIn(CARRIER_ID_WORDS, carrier.idStatus.state)),
    SlotMapStatus: u1(codeIn(SLOT_MAP_WORDS, carrier.slotMapStatus.state)),
    CarrierAccessingStatus: u1(codeIn(CARRIER_ACCESSING_WORDS, carrier.accessing.state)),
    SlotMap: typed(slotMapOfCarrier(carrier, view)),
    Reason: u1(codeIn(SLOT_MAP_REASON_WORDS, carrier.reason)),
  }) satisfies Values

export const locationOf = ({ port }: Carrier): string => (port === undefined ? '' : `LP${port}`)

export const slotMapOfCarrier = ({ slotMap }: Carrier, view: Gem300View): Item =>
  slotMap ? slotMapItem(slotMap, view) : L()

export const placeValues = ({ id, machine, occupant }: Place, { variants }: Gem300View) =>
  ({
    SubstLocID: { A: id },
    SubstLocState: u1(codeIn(variants.substrateLocation, machine.state)),
    SubstID: { A: occupant?.id ?? '' },
  }) satisfies Values

export const substrateValues = (substrate: Substrate, { variants }: Gem300View) =>
  ({
    SubstID: { A: substrate.id },
    SubstLotID: { A: substrate.lotId },
    SubstState: u1(codeIn(variants.substrate, substrate.transport.state)),
    SubstProcState: u1(codeIn(variants.substrateProcessing, substrate.processing.state)),
    SubstSubstLocID: { A: substrate.location },
    SubstSource: { A: substrate.source },
    SubstDestination: { A: substrate.source },
  }) satisfies Values
