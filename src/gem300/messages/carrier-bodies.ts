import { ACCESS_MODE_WORDS, type AccessMode } from '../port.js'
import { anything, code, maybeWhole, record, text, wholes } from './body-part.js'
import { ERRORS, PORT_ERRORS, pairs } from './result-parts.js'

/** CAACK (SEMI E87): 0 and 4 are success, of which 4 says that an event will tell the end. */
export type CarrierAcknowledge =
  | 'PERFORMED'
  | 'INVALID_COMMAND'
  | 'CANNOT_PERFORM_NOW'
  | 'INVALID_DATA'
  | 'WILL_BE_PERFORMED'
  | 'INVALID_STATE'
  | 'PERFORMED_WITH_ERRORS'
const CAACK_WORDS = {
  0: 'PERFORMED',
  1: 'INVALID_COMMAND',
  2: 'CANNOT_PERFORM_NOW',
  3: 'INVALID_DATA',
  4: 'WILL_BE_PERFORMED',
  5: 'INVALID_STATE',
  6: 'PERFORMED_WITH_ERRORS',
} as const

const CAACK = code<CarrierAcknowledge>('CAACK', CAACK_WORDS)
const CARRIER_RESULT = record({ CAACK, ERRORS })

/** Messages of stream 3 about carriers and load ports. PTN may be left out: it is then undefined. */
export const CARRIER_BODIES = {
  S3F17: record({
    DATAID: maybeWhole('DATAID'),
    CARRIERACTION: text('CARRIERACTION'),
    CARRIERID: text('CARRIERID'),
    PTN: maybeWhole('PTN'),
    ATTRIBUTES: pairs(record({ CATTRID: text('CATTRID'), CATTRDATA: anything })),
  }),
  S3F18: CARRIER_RESULT,
  S3F25: record({
    PORTACTION: text('PORTACTION'),
    PTN: maybeWhole('PTN'),
    PARAMS: pairs(record({ PARAMNAME: text('PARAMNAME'), PARAMVAL: anything })),
  }),
  S3F26: CARRIER_RESULT,
  /** No ports: all of them (one source). */
  S3F27: record({ ACCESSMODE: code<AccessMode>('ACCESSMODE', ACCESS_MODE_WORDS), PTN: wholes('PTN') }),
  S3F28: record({ CAACK, ERRORS: PORT_ERRORS }),
} as const
