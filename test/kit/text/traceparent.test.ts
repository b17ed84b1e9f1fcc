import { expect, test } from 'vitest'
import { traceparentOf } from '../../../src/kit/text/traceparent.js'

const IDS = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'

// W3C Trace Context, sections 3.2 and 4, and the test suite of the W3C (github.com/w3c/trace-context).
test.each([
  ['sampled', `00-${IDS}-01`, `00-${IDS}-01`],
  ['not sampled', `00-${IDS}-00`, `00-${IDS}-00`],
  ['flags that are not defined are kept', `00-${IDS}-ff`, `00-${IDS}-ff`],
  ['spaces around it', ` 00-${IDS}-01\t`, `00-${IDS}-01`],
  ['a later version', `cc-${IDS}-01`, `00-${IDS}-01`],
  ['a later version with more', `cc-${IDS}-03-what-the-future-will-be-like`, `00-${IDS}-01`],
  ['a later version that is not sampled', `01-${IDS}-02`, `00-${IDS}-00`],
])('%s', (_, header, recorded) => {
  expect(traceparentOf(header)).toBe(recorded)
})

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['another text', 'yes'],
  ['version ff', `ff-${IDS}-01`],
  ['version 00 with more', `00-${IDS}-01-more`],
  ['version 00 with a hyphen at its end', `00-${IDS}-01-`],
  ['a later version with more and no hyphen', `cc-${IDS}-01.more`],
  ['a trace id of zeros', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
  ['a parent id of zeros', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
  ['capitals', `00-${IDS.toUpperCase()}-01`],
  ['a trace id that is too short', '00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01'],
  ['flags of one digit', `00-${IDS}-1`],
  ['two headers', `00-${IDS}-01, 00-${IDS}-01`],
  ['two headers of a later version', `cc-${IDS}-01, cc-${IDS}-01`],
  ['quotes', `00-${IDS}-01"`],
  ['a long one', `cc-${IDS}-01-${'x'.repeat(1000)}`],
  ['a list', [`00-${IDS}-01`]],
])('is no trace context: %s', (_, header) => {
  expect(traceparentOf(header)).toBeUndefined()
})
