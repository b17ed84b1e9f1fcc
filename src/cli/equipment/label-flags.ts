import {
  isLabelKey,
  isLabelValue,
  LABEL_KEY_RULE,
  LABEL_VALUE_RULE,
  type Labels,
  parseSelector,
  SelectorError,
} from '../../contract/selector.js'
import { wrongUsage } from '../errors/failure.js'
import { textFlag } from '../input/flags.js'

/** Only of equipment with these labels. */
export const SELECTOR_FLAG = textFlag(
  'SELECTOR',
  'Only equipment with these labels, such as area=etch,bay!=3,!spare or "bay in (1,2)".',
  { char: 'l' },
)

/** What a user or an API key is restricted to. */
export const RESTRICTION_FLAG = textFlag(
  'SELECTOR',
  'Sees and reaches only equipment with these labels, such as area=etch.',
  { char: 'l' },
)

/** `--selector` as the parameter of the API, after its check. */
export function selectorGiven(text: string | undefined): { readonly label_selector?: string } {
  if (text === undefined) return {}
  try {
    parseSelector(text)
    return { label_selector: text }
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    throw wrongUsage(`--selector "${text}": ${error.message}`)
  }
}

/** `area=etch` as a label, and `spare-` as one to remove. */
function labelIn(text: string): readonly [key: string, value: string | null] {
  const at = text.indexOf('=')
  const isRemoved = at < 0 && text.endsWith('-')
  if (at < 0 && !isRemoved) throw wrongUsage(`--label takes KEY=VALUE, not "${text}"`)
  const key = isRemoved ? text.slice(0, -1) : text.slice(0, at)
  const value = isRemoved ? null : text.slice(at + 1)
  if (!isLabelKey(key)) throw wrongUsage(`--label ${text}: "${key}" is not ${LABEL_KEY_RULE}`)
  if (value !== null && !isLabelValue(value))
    throw wrongUsage(`--label ${text}: "${value}" is not ${LABEL_VALUE_RULE}`)
  return [key, value]
}

/** The labels of `--label`; null removes one. */
export function labelChange(texts: readonly string[]): Record<string, string | null> {
  const labels = texts.map(labelIn)
  const twice = labels.find(([key], at) => labels.findIndex(([other]) => other === key) < at)
  if (twice) throw wrongUsage(`--label ${twice[0]} is given twice`)
  return Object.fromEntries(labels)
}

/** The same for new equipment, which has no label to remove. */
export function newLabels(texts: readonly string[]): Labels {
  const labels = Object.entries(labelChange(texts)).map(([key, value]) => {
    if (value === null) throw wrongUsage(`--label ${key}- removes a label: new equipment has none`)
    return [key, value] as const
  })
  return Object.fromEntries(labels)
}

/** As `--label` and a selector take them: `area=etch,bay=3`. */
export const labelsText = (labels: Labels | undefined): string =>
  Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
