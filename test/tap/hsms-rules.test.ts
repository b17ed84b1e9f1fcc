import { expect, test } from 'vitest'
import { RULES } from '../hsms/rules/rules.js'
import { twoMachinesFindEachOther } from '../hsms/two-machines.js'
import { throughTaps } from '../support/line-between.js'

test.each(RULES)('through a tap, too: rule $rule ($source): $says', ({ check }) => {
  throughTaps(check)
})

test('chunks of most rules go through a tap', () => {
  const passed = RULES.filter(({ check }) => throughTaps(check) > 0)
  expect(passed.length).toBeGreaterThan(RULES.length * 0.8)
})

test.each(['always', 'idle'] as const)(
  'host and equipment find each other through a tap whose gateway asks the equipment (linktest %s)',
  (linktestMode) => {
    let replies = 0
    const chunks = throughTaps(() => {
      replies = twoMachinesFindEachOther(linktestMode)
    })
    expect(chunks).toBeGreaterThan(1000)
    expect(replies).toBeGreaterThan(0)
  },
)
