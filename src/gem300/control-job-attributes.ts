import { BOOLEAN, type Item, itemsIn, L, U1 } from '../secs2/item.js'
import { attributeNamed, type ObjectAttribute } from './carrier-attributes.js'
import { codeOf, type UnknownCode } from './code-words.js'
import { PROCESS_ORDER_WORDS, type ProcessOrder } from './control-job.js'
import { BodyError } from './messages/body-error.js'
import { readCode, readFlag, text } from './messages/body-part.js'
import type { Gem300View } from './variants.js'

/** A control job as S14F9 creates it. */
export interface NewControlJob {
  readonly id: string
  readonly carriers: readonly string[]
  /** In the order in which they are to be processed, where the order is LIST. */
  readonly processJobs: readonly string[]
  readonly order: ProcessOrder | UnknownCode
  /** False waits for CJStart. */
  readonly startsByItself: boolean
}

const ID = text('OBJID')

/** The attributes of S14F9. MtrlOutSpec and PauseEvent are empty: substrates go back to where they came from. */
export function controlJobAttributes(job: NewControlJob, view: Gem300View): readonly ObjectAttribute[] {
  const order = codeOf(PROCESS_ORDER_WORDS, job.order)
  if (order === undefined) throw new BodyError('/ProcessOrderMgmt', `${job.order} has no number`)
  const id = (value: string, at: string): Item => ID.build(value, view, at)
  const row = (ATTRID: string, ATTRDATA: Item): ObjectAttribute => ({ ATTRID, ATTRDATA })
  return [
    row('ObjID', id(job.id, '/ObjID')),
    row('ProcessOrderMgmt', U1(order)),
    row('StartMethod', BOOLEAN(job.startsByItself)),
    row('CarrierInputSpec', L(...job.carriers.map((one, index) => id(one, `/CarrierInputSpec/${index}`)))),
    row('MtrlOutSpec', L()),
    row(
      'ProcessingCtrlSpec',
      L(...job.processJobs.map((one, index) => L(id(one, `/ProcessingCtrlSpec/${index}`), L(), L()))),
    ),
    row('PauseEvent', L()),
  ]
}

/**
 * The control job that these attributes are of. Hosts differ: ProcessOrderMgmt as text, ProcessingCtrlSpec as a plain list
 * of jobs, attributes left out. What is left out is empty, in the order of arrival, and starts by itself.
 */
export function controlJobOf(attributes: readonly ObjectAttribute[], view: Gem300View): NewControlJob {
  const order = attributeNamed(attributes, 'ProcessOrderMgmt')
  const start = attributeNamed(attributes, 'StartMethod')
  const idsIn = (name: string): readonly string[] =>
    itemsIn(attributeNamed(attributes, name)).map((one, index) => {
      const [first] = itemsIn(one)
      return ID.read(first ?? one, view, `/${name}/${index}`)
    })
  return {
    id: ID.read(attributeNamed(attributes, 'ObjID') ?? L(), view, '/ObjID'),
    carriers: idsIn('CarrierInputSpec'),
    processJobs: idsIn('ProcessingCtrlSpec'),
    order: order ? readCode(order, PROCESS_ORDER_WORDS, view, '/ProcessOrderMgmt') : 'ARRIVAL',
    startsByItself: start ? readFlag(start, view, '/StartMethod') : true,
  }
}
