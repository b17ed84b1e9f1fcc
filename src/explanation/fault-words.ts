import { CONNECTION_FAULTS } from '../contract/connection-faults.js'
import { type Entry, entriesOf } from './explanation.js'

export const FAULT_WORDS: readonly Entry[] = entriesOf('last error of an equipment', CONNECTION_FAULTS)
