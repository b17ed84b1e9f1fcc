import { expect, test } from 'vitest'
import { differences } from '../../src/scenario/report/difference.js'
import { embeddedResult, resultIn } from '../../src/scenario/report/embedded-result.js'
import { htmlReport } from '../../src/scenario/report/html-report.js'
import type { RunResult, StepResult } from '../../src/scenario/run/result.js'

const step = (title: string, given: Partial<StepResult> = {}): StepResult => ({
  number: '1',
  groups: ['G'],
  title,
  place: { file: 'x.yaml', line: 1, column: 1 },
  verdict: 'passed',
  detail: '',
  began: 0,
  ended: 1,
  after: 0,
  last: 0,
  ...given,
})
const ABOUT = {
  secsctl: '1.2.3',
  mdln: 'ETCH',
  softrev: '2.4',
  address: '10.0.0.5:5000',
  zone: 'Asia/Taipei',
}
const result = (...steps: readonly StepResult[]): RunResult => ({
  ...{ name: 'Lot', equipment: 'etcher', began: Date.UTC(2026, 2, 1, 16), ended: 0, verdict: 'passed' },
  steps,
  about: ABOUT,
})

test('checks are compared by groups and title: verdicts, values, failures, and those that one has alone', () => {
  const before = result(
    step('same', { seen: { A: [1, 2] } }),
    step('broken', { seen: { A: 1 } }),
    step('mended', { verdict: 'failed', detail: 'A is 2; expected 1' }),
    step('other', { seen: { SOFTREV: '2.4', MDLN: 'ETCH' } }),
    step('fails otherwise', { verdict: 'failed', detail: 'A is 2' }),
    step('round'),
    step('round'),
    step('gone'),
  )
  const after = result(
    step('round', { number: '7' }),
    step('round', { verdict: 'inconclusive', detail: 'no link' }),
    step('new', { verdict: 'failed', detail: 'x' }),
    step('same', { seen: { A: [1, 2] } }),
    step('broken', { verdict: 'failed', detail: 'A is 3' }),
    step('mended'),
    step('other', { seen: { SOFTREV: '2.5', MDLN: 'ETCH' } }),
    step('fails otherwise', { verdict: 'failed', detail: 'A is 4' }),
  )
  const found = differences(before, after).map(({ change, check, ...rest }) => [
    change,
    check,
    ...Object.values(rest),
  ])
  expect(found).toEqual([
    ['worse', 'G: round (2)', 'passed', 'inconclusive: no link'],
    ['worse', 'G: broken', 'passed', 'failed: A is 3'],
    ['gone', 'G: gone', 'passed', ''],
    ['values', 'G: other', 'SOFTREV 2.4', 'SOFTREV 2.5'],
    ['values', 'G: fails otherwise', 'A is 2', 'A is 4'],
    ['new', 'G: new', '', 'failed: x'],
    ['better', 'G: mended', 'failed: A is 2; expected 1', 'passed'],
  ])
  expect(differences(before, before)).toEqual([])
})

const HOSTILE = '</script><script>alert(1)</script><!--&\u2028"'
test('a page has the result in it, whatever the texts of the equipment are, and nothing of them is markup', () => {
  const made = result(step(HOSTILE, { detail: HOSTILE, seen: { [HOSTILE]: HOSTILE } }))
  const page = htmlReport({ ...made, equipment: HOSTILE }, [])
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page.match(/<\/script/g)).toHaveLength(1)
  expect(resultIn(page)).toEqual({ ...made, equipment: HOSTILE })
  expect(resultIn(JSON.stringify(made))).toEqual(made)
  expect(resultIn(embeddedResult(made))).toEqual(made)
})

test('the head of a page says what was tested, when, where and with what', () => {
  const page = htmlReport(result(step('a')), [])
  for (const text of [
    'etcher',
    'ETCH',
    '2.4',
    '10.0.0.5:5000',
    'secsctl 1.2.3',
    '2026-03-02 00:00:00 Asia/Taipei',
  ])
    expect(page).toContain(text)
})

test.each(['', '<html></html>', '{"steps":[]}', '[]', '{"name":"x","equipment":"e","began":1,"steps":[{}]}'])(
  '%j is no report',
  (text) => {
    expect(() => resultIn(text)).toThrow(/no report of secsctl/)
  },
)
