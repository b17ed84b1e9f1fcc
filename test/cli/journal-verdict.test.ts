import { expect, test } from 'vitest'
import { verdictOf } from '../../src/cli/journal/verify.js'
import type { Fault } from '../../src/daemon/stored-files.js'

const fault = (kind: Fault['kind']): Fault => ({ kind, file: 'f', offset: null, detail: '' })

test.each<[kinds: readonly Fault['kind'][], verdict: string]>([
  [[], 'nothing is lost'],
  [['torn', 'index'], 'nothing is lost'],
  [['given_up', 'torn'], 'nothing is lost but what was given up'],
  [['given_up', 'damaged'], 'something is lost'],
])('with the faults %j, the last line of journal verify is "%s"', (kinds, verdict) => {
  expect(verdictOf(kinds.map(fault))).toBe(verdict)
})
