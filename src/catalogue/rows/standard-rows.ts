import type { MessageRow } from '../message-row.js'
import { STREAM_1 } from './s1.js'
import { STREAM_2 } from './s2.js'
import { STREAM_3 } from './s3.js'
import { STREAM_4 } from './s4.js'
import { STREAM_5 } from './s5.js'
import { STREAM_6 } from './s6.js'
import { STREAM_7 } from './s7.js'
import { STREAM_8 } from './s8.js'
import { STREAM_9 } from './s9.js'
import { STREAM_10 } from './s10.js'
import { STREAM_12 } from './s12.js'
import { STREAM_13 } from './s13.js'
import { STREAM_14 } from './s14.js'
import { STREAM_15 } from './s15.js'
import { STREAM_16 } from './s16.js'
import { STREAM_17 } from './s17.js'
import { STREAM_18 } from './s18.js'
import { STREAM_19 } from './s19.js'
import { STREAM_20 } from './s20.js'
import { STREAM_21 } from './s21.js'

const STREAMS = [
  STREAM_1,
  STREAM_2,
  STREAM_3,
  STREAM_4,
  STREAM_5,
  STREAM_6,
  STREAM_7,
  STREAM_8,
  STREAM_9,
  STREAM_10,
  STREAM_12,
  STREAM_13,
  STREAM_14,
  STREAM_15,
  STREAM_16,
  STREAM_17,
  STREAM_18,
  STREAM_19,
  STREAM_20,
  STREAM_21,
] as const

/** One of the rows below, as the compiler knows it. */
export type StandardRow = (typeof STREAMS)[number][number]

/** Every message of the standard, in order of stream and function. */
export const STANDARD_ROWS: readonly MessageRow[] = STREAMS.flat()
