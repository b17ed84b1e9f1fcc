import { Type } from 'typebox'
import { faultsBy, fileWording } from '../../kit/schema-faults.js'
import type { About, RunResult, StepResult, Verdict } from '../run/result.js'

const VERDICT = Type.Unsafe<Verdict>({
  type: 'string',
  enum: ['passed', 'failed', 'inconclusive', 'skipped'],
  description: 'passed, failed, inconclusive or skipped.',
})
const Text = Type.String({ description: 'A text.' })

/** What a comparison needs of a result; what else is there does not matter. */
export interface ComparedResult extends Pick<RunResult, 'name' | 'equipment' | 'began'> {
  readonly about?: Partial<About>
  readonly steps: readonly Pick<StepResult, 'groups' | 'title' | 'verdict' | 'detail' | 'seen'>[]
}

const ComparedSchema = Type.Object(
  {
    name: Text,
    equipment: Text,
    began: Type.Number({ minimum: 0, maximum: 8.64e15, description: 'Milliseconds since 1970.' }),
    about: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
        description: 'Texts by name.',
      }),
    ),
    steps: Type.Array(
      Type.Object(
        {
          groups: Type.Array(Text, { description: 'A list of texts.' }),
          title: Text,
          verdict: VERDICT,
          detail: Text,
          seen: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Values by name.' })),
        },
        { description: 'A step.' },
      ),
      { description: 'A list of steps.' },
    ),
  },
  { description: 'The result of a scenario.' },
)

const faults = faultsBy(
  ComparedSchema,
  fileWording((shown, description) => `${shown} does not fit. ${description}`),
)

const [OPEN, CLOSE] = ['<script type="application/json" id="secsctl-result">', '</script>']

/** The result as a part of a page, which no browser shows or runs. */
export const embeddedResult = (result: RunResult): string =>
  OPEN + JSON.stringify(result).replace(/[<>&\u2028\u2029]/g, escapedCharacter) + CLOSE

const escapedCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The result in a report: in the page that `htmlReport` makes, or as JSON. Throws what is wrong with it. */
export function resultIn(text: string): ComparedResult {
  const at = text.lastIndexOf(OPEN)
  const json = at < 0 ? text : text.slice(at + OPEN.length, text.indexOf(CLOSE, at))
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new Error('it is no report of secsctl: a page with a result, or the output of --json')
  }
  const [first] = faults(value)
  if (first) throw new Error(`it is no report of secsctl: ${first.pointer}: ${first.detail}`)
  return value as ComparedResult
}
