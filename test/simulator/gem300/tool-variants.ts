import type { Model } from '../../../src/simulator/model.js'
import { parseModel } from '../../../src/simulator/model-file.js'
import { shippedText } from '../../../src/simulator/shipped-models.js'

const NO_TIMES = ['load_time', 'set_up_time', 'move_time', 'process_time'].map((name) => `${name}: 0`)

/** One setting of a GEM 300 tool that is not the default, each. */
export const TOOL_VARIANTS: readonly string[] = [
  'events: transitions',
  'events: generic',
  'events: port_in_name',
  'events: lists',
  'objspec: ControlJob',
  'job_creation: S16F11',
  'job_creation: S16F15',
  'start: manual',
  'release: host',
  'substrate_numbers: one_based',
  'slot_codes: present',
  'port_type: Port',
  'job_messages: both',
]

/** The shipped tool with these settings, and no times but those given. */
export function toolModel(...settings: readonly string[]): Model {
  const lines = [
    ...NO_TIMES.filter((time) => !settings.some((one) => one.startsWith(time.slice(0, -1)))),
    ...settings,
  ]
  const text = (shippedText('etch300') ?? '').replace(
    /^gem300:\n(?: {2}.*\n)*/m,
    `gem300:\n${lines.map((line) => `  ${line}\n`).join('')}`,
  )
  return parseModel(text)
}
