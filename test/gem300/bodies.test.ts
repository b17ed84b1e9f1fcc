import { expect, test } from 'vitest'
import type { NewControlJob } from '../../src/gem300/control-job-attributes.js'
import { controlJobAttributes, controlJobOf } from '../../src/gem300/control-job-attributes.js'
import {
  BODIES,
  type BodyContent,
  type BodyName,
  buildBody,
  readBody,
} from '../../src/gem300/messages/bodies.js'
import { DEFAULT_VARIANTS, type Gem300View } from '../../src/gem300/variants.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { isFormat } from '../../src/secs2/format.js'
import { fromTypedJson, toTypedJson } from '../../src/secs2/json.js'
import { hexBytes, hexOf, vectors } from '../support/vectors.js'
import { DEFAULT_VIEW } from './default-view.js'

interface BodyVector {
  readonly message: BodyName
  readonly hex: string
  /** An item is typed JSON, undefined is null. */
  readonly content: unknown
  readonly formats?: Readonly<Record<string, string>>
  /** It is read, and never written so. */
  readonly reads?: true
  /** The control job that its attributes are. */
  readonly control_job?: NewControlJob
  /** These are the attributes as we write them. */
  readonly writes_control_job?: true
  readonly source: string
}

const rows = vectors<BodyVector>('gem300.json')

/** Content with its items as typed JSON. */
function plain(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  if ('format' in value) return toTypedJson(value as never)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

/** The reverse. */
function revived(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(revived)
  const [first = '', ...others] = Object.keys(value)
  if (others.length === 0 && isFormat(first)) return fromTypedJson(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revived(inner)]))
}

const viewOf = ({ formats }: BodyVector): Gem300View => ({
  variants: DEFAULT_VARIANTS,
  ...(formats && { formats }),
})

test.each(rows)('$message is read: $why', (vector) => {
  const { message, hex, content } = vector
  expect(plain(readBody(message, decodeBody(hexBytes(hex)), viewOf(vector)))).toEqual(content)
})

test.each(rows.filter(({ reads }) => !reads))('$message is built: $why', (vector) => {
  const { message, hex, content } = vector
  const built = buildBody(message, revived(content) as BodyContent<BodyName>, viewOf(vector))
  expect(hexOf(encodeBody(built))).toBe(hex)
})

test('Every message has a vector, and each says where its bytes come from', () => {
  expect([...new Set(rows.map(({ message }) => message))].sort()).toEqual(Object.keys(BODIES).sort())
  expect(rows.filter(({ source, why }) => !source || !why)).toEqual([])
})

const controlJobs = rows.filter(({ control_job }) => control_job)

test.each(controlJobs)('The control job of S14F9 is read: $why', ({ hex, control_job }) => {
  const { ATTRIBUTES } = readBody('S14F9', decodeBody(hexBytes(hex)), DEFAULT_VIEW)
  expect(controlJobOf(ATTRIBUTES, DEFAULT_VIEW)).toEqual(control_job)
})

test.each(controlJobs.filter(({ writes_control_job }) => writes_control_job))(
  'The control job of S14F9 is written: $why',
  ({ hex, control_job }) => {
    const ATTRIBUTES = controlJobAttributes(control_job as NewControlJob, DEFAULT_VIEW)
    const built = buildBody(
      'S14F9',
      { OBJSPEC: 'Equipment', OBJTYPE: 'ControlJob', ATTRIBUTES },
      DEFAULT_VIEW,
    )
    expect(hexOf(encodeBody(built))).toBe(hex)
  },
)
