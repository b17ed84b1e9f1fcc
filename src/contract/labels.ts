import { Type } from 'typebox'
import { nullable } from './schema.js'
import { LABEL_VALUE, MAX_LABELS, MAX_SELECTOR } from './selector.js'

const RULE = 'letters, digits, `.`, `_` and `-`, with a letter or digit at both ends'
const LABELS = `Labels by which equipment is selected, such as \`{"area": "etch", "bay": "3"}\`: at most ${MAX_LABELS}. A key has 1 to 63 characters and a value 0 to 63: ${RULE}.`

const LabelValue = Type.String({ pattern: LABEL_VALUE, description: `0 to 63 ${RULE}.` })

/** The pattern of the keys is not in the schema, since OpenAPI 3.0 has no place for it. */
export const Labels = Type.Record(Type.String(), LabelValue, {
  component: 'Labels',
  maxProperties: MAX_LABELS,
  description: LABELS,
})

/** A change of labels: null removes a label, and labels that are left out stay. */
export const LabelChange = Type.Record(Type.String(), nullable(LabelValue), {
  maxProperties: 2 * MAX_LABELS,
  description: `${LABELS} A label that is left out keeps its value; null removes it.`,
})

/** A query parameter that narrows to equipment by its labels. */
export const LabelSelector = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MAX_SELECTOR,
    description:
      'Only equipment whose labels meet all these requirements, separated by commas: `area=etch`, `bay!=3`, `area` (has the label), `!spare` (does not have it), `area in (etch,litho)`, `bay notin (1,2)`. `!=` and `notin` also match equipment without the label. The labels that the equipment has now decide, also about records of the past; deleted equipment has none and is not selected.',
  }),
)
