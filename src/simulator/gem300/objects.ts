import { formatTime } from '../../gem/time.js'
import { contentMapItem } from '../../gem300/carrier-attributes.js'
import { CONTROL_JOB_WORDS, PROCESS_ORDER_WORDS } from '../../gem300/control-job.js'
import type { BodyContent } from '../../gem300/messages/bodies.js'
import { buildBody } from '../../gem300/messages/bodies.js'
import { sameWord } from '../../gem300/messages/body-part.js'
import { PROCESS_JOB_WORDS } from '../../gem300/process-job.js'
import { A, BOOLEAN, type Item, itemsIn, L, U1 } from '../../secs2/item.js'
import { fromTypedJson } from '../../secs2/json.js'
import type { Carrier } from './carrier.js'
import type { ControlJob } from './control-job.js'
import { numberOf, textOf } from './item-values.js'
import type { LoadPort } from './load-port.js'
import type { ProcessJob } from './process-job.js'
import { ERRCODE, Refusal } from './refusal.js'
import type { Place, Substrate } from './substrate.js'
import type { Tool } from './tool.js'
import {
  carrierValues,
  codeIn,
  locationOf,
  placeValues,
  portValues,
  slotMapOfCarrier,
  substrateValues,
} from './values.js'

/** An object with its attributes, of which `settable` may be set by a host. */
interface Shown {
  readonly id: string
  readonly attributes: Readonly<Record<string, Item>>
  readonly settable: Readonly<Record<string, (value: Item) => void>>
}

interface ObjectType {
  readonly name: string
  readonly objects: (tool: Tool) => readonly Shown[]
}

const ids = (names: readonly string[]): Item => L(...names.map(A))

const carrier = (tool: Tool, one: Carrier): Shown => {
  const values = carrierValues(one, tool.view)
  const contents = Array.from({ length: one.capacity }, (_, at) => one.contentOf(at + 1))
  return {
    id: one.id,
    attributes: {
      Capacity: U1(one.capacity),
      CarrierAccessingStatus: fromTypedJson(values.CarrierAccessingStatus),
      CarrierIDStatus: fromTypedJson(values.CarrierIDStatus),
      ContentMap: one.told.contentMap ? contentMapItem(contents, tool.view) : L(),
      LocationID: A(locationOf(one)),
      SlotMap: slotMapOfCarrier(one, tool.view),
      SlotMapStatus: fromTypedJson(values.SlotMapStatus),
      SubstrateCount: U1(tool.cluster.of(one).length),
      Usage: A(one.told.usage ?? 'PRODUCT'),
    },
    settable: { Usage: (value) => one.tell({ usage: textOf(value) }) },
  }
}

const port = (one: LoadPort): Shown => {
  const { PortTransferState, AccessMode, PortReservationState, PortAssociationState, CarrierID } =
    portValues(one)
  return {
    id: String(one.number),
    attributes: {
      PortTransferState: fromTypedJson(PortTransferState),
      PortAccessMode: fromTypedJson(AccessMode),
      PortReservationState: fromTypedJson(PortReservationState),
      PortAssociationState: fromTypedJson(PortAssociationState),
      CarrierID: fromTypedJson(CarrierID),
    },
    settable: {},
  }
}

const processJob = (tool: Tool, { id, given, state }: ProcessJob): Shown => {
  const body = itemsIn(buildBody('S16F11', { DATAID: 0, ...given }, tool.view))
  const recipe = itemsIn(body[4])
  return {
    id,
    attributes: {
      PauseEvent: body[6] ?? L(),
      PRJobState: U1(codeIn(PROCESS_JOB_WORDS.standard, state)),
      PRMtlNameList: body[3] ?? L(),
      PRMtlType: body[2] ?? L(),
      PRProcessStart: BOOLEAN(given.PRPROCESSSTART),
      PRRecipeMethod: recipe[0] ?? L(),
      RecID: A(given.RECIPE.RCPSPEC),
      RecVariableList: recipe[2] ?? L(),
    },
    settable: {},
  }
}

const controlJob = (job: ControlJob): Shown => {
  const { given, jobs, attributes } = job
  const kept = (name: string): Item =>
    attributes.find(({ ATTRID }) => sameWord(ATTRID, name))?.ATTRDATA ?? L()
  const keep =
    (name: string) =>
    (ATTRDATA: Item): void => {
      const at = attributes.findIndex(({ ATTRID }) => sameWord(ATTRID, name))
      attributes.splice(at < 0 ? attributes.length : at, 1, { ATTRID: name, ATTRDATA })
    }
  const state = (one: ProcessJob): Item => U1(codeIn(PROCESS_JOB_WORDS.standard, one.state))
  return {
    id: job.id,
    attributes: {
      CarrierInputSpec: ids(given.carriers),
      CurrentPRJob: ids(jobs.filter(({ isActive }) => isActive).map(({ id }) => id)),
      DataCollectionPlan: kept('DataCollectionPlan'),
      MtrlOutByStatus: kept('MtrlOutByStatus'),
      MtrlOutSpec: L(),
      PauseEvent: kept('PauseEvent'),
      ProcessingCtrlSpec: L(...jobs.map(({ id }) => L(A(id), L(), L()))),
      ProcessOrderMgmt: U1(codeIn(PROCESS_ORDER_WORDS, given.order)),
      PRJobStatusList: L(...jobs.map((one) => L(A(one.id), state(one)))),
      StartMethod: BOOLEAN(given.startsByItself),
      State: U1(codeIn(CONTROL_JOB_WORDS, job.state)),
    },
    settable: { DataCollectionPlan: keep('DataCollectionPlan'), PauseEvent: keep('PauseEvent') },
  }
}

const substrate = (tool: Tool, one: Substrate): Shown => {
  const values = substrateValues(one, tool.view)
  return {
    id: one.id,
    attributes: {
      LotID: A(one.lotId),
      SubstDestination: A(one.source),
      SubstHistory: L(
        ...one.visits.map(({ location, since, until }) =>
          L(A(location), A(formatTime(since)), A(until ? formatTime(until) : '')),
        ),
      ),
      SubstLocID: A(one.location),
      SubstProcState: fromTypedJson(values.SubstProcState),
      SubstSource: A(one.source),
      SubstState: fromTypedJson(values.SubstState),
      SubstType: U1(0),
      SubstUsage: U1(0),
    },
    settable: { LotID: (value) => Object.assign(one, { lotId: textOf(value) }) },
  }
}

const place = (tool: Tool, one: Place): Shown => {
  const { SubstLocState, SubstID } = placeValues(one, tool.view)
  const attributes = { SubstLocState: fromTypedJson(SubstLocState), SubstID: fromTypedJson(SubstID) }
  return { id: one.id, attributes, settable: {} }
}

const TYPES: readonly ObjectType[] = [
  { name: 'Carrier', objects: (tool) => [...tool.ports.carriers.values()].map((one) => carrier(tool, one)) },
  { name: 'LoadPort', objects: (tool) => tool.ports.ports.map(port) },
  {
    name: 'ProcessJob',
    objects: (tool) => [...tool.jobs.process.values()].map((one) => processJob(tool, one)),
  },
  { name: 'ControlJob', objects: (tool) => tool.jobs.control.map(controlJob) },
  {
    name: 'Substrate',
    objects: (tool) => [...tool.cluster.substrates.values()].map((one) => substrate(tool, one)),
  },
  { name: 'SubstLoc', objects: (tool) => tool.cluster.places.map((one) => place(tool, one)) },
]

type Filter = BodyContent<'S14F1'>['FILTERS'][number]
type Errors = { readonly ERRCODE: number; readonly ERRTEXT: string }[]

/** The objects of a tool as its host sees them (SEMI E39). */
export class Objects {
  constructor(private readonly tool: Tool) {}

  /** The names of all types. */
  get types(): readonly string[] {
    return TYPES.map((type) => this.#nameOf(type))
  }

  /** The attributes that each of these types has; of types without an object now none are known. */
  attributesOf(wanted: readonly string[]): { OBJTYPE: string; ATTRID: readonly string[] }[] {
    const names = wanted.length > 0 ? wanted : this.types
    return names.map((OBJTYPE) => {
      const [first] = this.#type(OBJTYPE).objects(this.tool)
      return { OBJTYPE, ATTRID: ['ObjType', 'ObjID', ...Object.keys(first?.attributes ?? {})] }
    })
  }

  /** S14F1. Throws `Refusal`. */
  get({ OBJTYPE, OBJID, FILTERS, ATTRID }: BodyContent<'S14F1'>): BodyContent<'S14F2'> {
    const type = this.#type(OBJTYPE)
    const errors: Errors = []
    const found = this.#chosen(type, OBJID, errors).filter((one) =>
      FILTERS.every((filter) => fits(this.#all(type, one), filter)),
    )
    const objects = found.map((one) => {
      const all = this.#all(type, one)
      const wanted = ATTRID.length > 0 ? ATTRID : Object.keys(all)
      const attributes = wanted.map((name) => {
        const known = Object.keys(all).find((key) => sameWord(key, name))
        if (known === undefined && !errors.some(({ ERRTEXT }) => ERRTEXT === `Attribute ${name} not found`))
          errors.push({ ERRCODE: ERRCODE.unknownAttribute, ERRTEXT: `Attribute ${name} not found` })
        return { ATTRID: name, ATTRDATA: known === undefined ? L() : (all[known] ?? L()) }
      })
      return { OBJID: one.id, ATTRIBUTES: attributes }
    })
    return { OBJECTS: objects, RESULT: { OBJACK: errors.length > 0 ? 'ERROR' : 'DONE', ERRORS: errors } }
  }

  /** S14F3: of each object all attributes are set, or none. Throws `Refusal`. */
  set({ OBJTYPE, OBJID, ATTRIBUTES }: BodyContent<'S14F3'>): BodyContent<'S14F4'> {
    const type = this.#type(OBJTYPE)
    const errors: Errors = []
    const objects = this.#chosen(type, OBJID, errors).map((one) => {
      const all = this.#all(type, one)
      const before = errors.length
      const writers = ATTRIBUTES.map(({ ATTRID, ATTRDATA }) => {
        const known = Object.keys(all).find((key) => sameWord(key, ATTRID))
        const write = known === undefined ? undefined : one.settable[known]
        if (known === undefined)
          errors.push({ ERRCODE: ERRCODE.unknownAttribute, ERRTEXT: `Attribute ${ATTRID} not found` })
        else if (!write) errors.push({ ERRCODE: ERRCODE.readOnly, ERRTEXT: `${ATTRID} is read only` })
        return () => write?.(ATTRDATA)
      })
      if (errors.length === before) for (const write of writers) write()
      return { OBJID: one.id, ATTRIBUTES: errors.length === before ? ATTRIBUTES : [] }
    })
    return { OBJECTS: objects, RESULT: { OBJACK: errors.length > 0 ? 'ERROR' : 'DONE', ERRORS: errors } }
  }

  #chosen(type: ObjectType, wanted: readonly string[], errors: Errors): readonly Shown[] {
    const all = type.objects(this.tool)
    if (wanted.length === 0) return all
    return wanted.flatMap((id) => {
      const one = all.find((shown) => shown.id === id)
      if (!one) errors.push({ ERRCODE: ERRCODE.unknownObject, ERRTEXT: `${type.name} ${id} not found` })
      return one ?? []
    })
  }

  #all(type: ObjectType, { id, attributes }: Shown): Readonly<Record<string, Item>> {
    return { ObjType: A(this.#nameOf(type)), ObjID: A(id), ...attributes }
  }

  #nameOf({ name }: ObjectType): string {
    return name === 'LoadPort' ? this.tool.settings.portType : name
  }

  #type(name: string): ObjectType {
    const type = TYPES.find((one) => sameWord(this.#nameOf(one), name))
    if (type) return type
    throw new Refusal(ERRCODE.unknownType, `Object type ${name} not known`)
  }
}

/** Whether the filter's value compares with the attribute as asked, as numbers where both are. */
function fits(attributes: Readonly<Record<string, Item>>, { ATTRID, ATTRDATA, ATTRRELN }: Filter): boolean {
  const name = Object.keys(attributes).find((key) => sameWord(key, ATTRID))
  const value = name === undefined ? undefined : attributes[name]
  if (!value) return false
  const order = orderOf(ATTRDATA, value)
  switch (ATTRRELN) {
    case 'EQUAL':
      return order === 0
    case 'NOT_EQUAL':
      return order !== 0
    case 'LESS':
      return order < 0
    case 'LESS_OR_EQUAL':
      return order <= 0
    case 'GREATER':
      return order > 0
    case 'GREATER_OR_EQUAL':
      return order >= 0
    case 'PRESENT':
    case 'ABSENT': {
      const values = value.format === 'L' ? value.items : [value]
      return values.some((one) => orderOf(ATTRDATA, one) === 0) === (ATTRRELN === 'PRESENT')
    }
    default:
      throw new Refusal(ERRCODE.badValue, `ATTRRELN ${ATTRRELN} not known`)
  }
}

/** Less than 0 where one item is before the other. */
function orderOf(one: Item, other: Item): number {
  const [a, b] = [numberOf(one), numberOf(other)]
  if (a !== undefined && b !== undefined) return a - b
  return textOf(one) === textOf(other) ? 0 : textOf(one) < textOf(other) ? -1 : 1
}
