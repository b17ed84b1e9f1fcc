import { A, type Item, U1, U2, U4 } from '../../secs2/item.js'
import { beyondLatin1 } from '../../secs2/text.js'
import type { CodeVariants, CodeWords } from '../code-words.js'
import { PORT_ACTIONS, type PortAction, type PortActions } from '../port-actions.js'
import { PROCESS_JOB_WORDS } from '../process-job.js'
import { SLOT_WORDS } from '../slot-map.js'
import { SUBSTRATE_PROCESSING_WORDS, SUBSTRATE_WORDS } from '../substrate.js'
import { DEFAULT_VARIANTS, type Gem300Variants } from '../variants.js'
import type { MappedPortAction, MappedSettings, MappedWords, MappingFault } from './mapping.js'

/** The tables of numbers that a site may choose or give. */
const TABLES = {
  job: ['processJob', PROCESS_JOB_WORDS],
  substrate: ['substrate', SUBSTRATE_WORDS],
  substrate_processing: ['substrateProcessing', SUBSTRATE_PROCESSING_WORDS],
  slots: ['slots', SLOT_WORDS],
} as const satisfies Record<string, readonly [keyof Gem300Variants, CodeVariants<string>]>

/** Settings that are taken as they are. */
const PLAIN = {
  slot_format: 'slotFormat',
  port_type: 'portType',
  create_specifier: 'createSpecifier',
  job_creation: 'jobCreation',
} as const satisfies Partial<Record<keyof MappedSettings, keyof Gem300Variants>>

const quoted = (words: readonly string[]): string => words.join(', ')

/** The variants that these settings make, and what is wrong with them: a fault leaves the default. */
export function variantsOf(settings: MappedSettings): {
  readonly variants: Gem300Variants
  readonly faults: readonly MappingFault[]
} {
  const faults: MappingFault[] = []
  const found: Record<string, unknown> = {}
  for (const [name, [variant, tables]] of Object.entries(TABLES)) {
    const given = settings[name as keyof typeof TABLES]
    if (given !== undefined) found[variant] = wordsIn(given, tables, `/settings/${name}`, faults)
  }
  for (const [name, variant] of Object.entries(PLAIN)) {
    const given = settings[name as keyof typeof PLAIN]
    if (given !== undefined) found[variant] = given
  }
  const { port_actions } = settings
  if (port_actions !== undefined) found['portActions'] = actionsIn(port_actions, faults)
  return { variants: { ...DEFAULT_VARIANTS, ...found }, faults }
}

function wordsIn(
  given: MappedWords,
  tables: CodeVariants<string>,
  pointer: string,
  faults: MappingFault[],
): CodeWords<string> {
  if (typeof given === 'string') {
    const table = Object.hasOwn(tables, given) ? tables[given] : undefined
    if (!table)
      faults.push({
        pointer,
        detail: `${given} is no table: there is ${quoted(Object.keys(tables))}, or one of your own: {0: WORD}`,
      })
    return table ?? tables.standard
  }
  const known = new Set(Object.values(tables).flatMap((table) => Object.values(table)))
  for (const [number, word] of Object.entries(given)) {
    const at = `${pointer}/${number}`
    if (!/^\d{1,9}$/.test(number)) faults.push({ pointer: at, detail: `${number} is no number` })
    if (!known.has(word)) faults.push({ pointer: at, detail: `${word} is none of ${quoted([...known])}` })
  }
  return given as CodeWords<string>
}

const ACTIONS = Object.keys(PORT_ACTIONS.standard) as PortAction[]

function actionsIn(given: NonNullable<MappedSettings['port_actions']>, faults: MappingFault[]): PortActions {
  const pointer = '/settings/port_actions'
  if (typeof given === 'string') {
    if (Object.hasOwn(PORT_ACTIONS, given)) return PORT_ACTIONS[given as keyof typeof PORT_ACTIONS]
    faults.push({ pointer, detail: `${given} is none of ${quoted(Object.keys(PORT_ACTIONS))}` })
    return PORT_ACTIONS.standard
  }
  for (const name of Object.keys(given))
    if (!ACTIONS.some((action) => action === name))
      faults.push({ pointer: `${pointer}/${name}`, detail: `${name} is none of ${quoted(ACTIONS)}` })
  const own = Object.entries(given).map(
    ([name, words]) => [name, actionOf(words, `${pointer}/${name}`, faults)] as const,
  )
  return { ...PORT_ACTIONS.standard, ...Object.fromEntries(own) }
}

const actionOf = (
  { action, parameters = {} }: MappedPortAction,
  pointer: string,
  faults: MappingFault[],
): PortActions[PortAction] => ({
  PORTACTION: action,
  PARAMS: Object.entries(parameters).flatMap(([PARAMNAME, value]) => {
    const wrong = typeof value === 'string' ? beyondLatin1(value) : undefined
    if (wrong === undefined) return [{ PARAMNAME, PARAMVAL: valueItem(value) }]
    faults.push({
      pointer: `${pointer}/parameters`,
      detail: `"${value}" has ${wrong}, which is not in Latin-1`,
    })
    return []
  }),
})

/** A number in the smallest format that has it: most are U1. */
const valueItem = (value: string | number): Item =>
  typeof value === 'string' ? A(value) : value <= 0xff ? U1(value) : value <= 0xffff ? U2(value) : U4(value)
