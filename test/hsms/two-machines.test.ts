import { test } from 'vitest'
import { twoMachinesFindEachOther } from './two-machines.js'

test.each(['always', 'idle'] as const)(
  'over a network that delays, cuts and dies both sides keep the laws and find each other again (linktest %s)',
  (linktestMode) => void twoMachinesFindEachOther(linktestMode),
)
