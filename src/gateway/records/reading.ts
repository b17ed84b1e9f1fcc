import type { Catalogue } from '../../catalogue/catalogue.js'
import { LATIN1, type TextCodec, textCodec } from '../../secs2/text.js'
import type { EquipmentKnowledge } from '../knowledge/equipment-knowledge.js'
import type { EquipmentRecord } from './equipment-record.js'

/** How an equipment's items are to be read: its name, what is known of them, its overrides of formats, its text encoding. */
export interface Reading {
  /** Left out for equipment that is not registered any more. */
  readonly name?: string
  readonly catalogue: Catalogue
  readonly formats: Readonly<Record<string, string>>
  readonly text: TextCodec
  /** What the equipment's identifiers are called. */
  readonly knowledge?: EquipmentKnowledge
}

const readings = new WeakMap<object, Reading>()

/** How an equipment of this record is read: one object as long as nothing in it changes. */
export function readingBy(
  record: Pick<EquipmentRecord, 'name' | 'item_formats' | 'text_encoding'>,
  catalogue: Catalogue,
  knowledge?: EquipmentKnowledge,
): Reading {
  const last = readings.get(record)
  if (last?.catalogue === catalogue && last.knowledge === knowledge) return last
  const { name, item_formats: formats, text_encoding } = record
  const reading = {
    name,
    catalogue,
    formats,
    text: textCodec(text_encoding),
    ...(knowledge && { knowledge }),
  }
  readings.set(record, reading)
  return reading
}

const NO_FORMATS = {}

/** Reads the messages of an equipment that is not registered any more. */
export const plainReading = (catalogue: Catalogue): Reading => ({
  catalogue,
  formats: NO_FORMATS,
  text: LATIN1,
})
