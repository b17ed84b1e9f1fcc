import type { Catalogue } from '../../catalogue/catalogue.js'
import { LATIN1, type TextCodec, textCodec } from '../../secs2/text.js'
import type { EquipmentKnowledge } from '../knowledge/equipment-knowledge.js'
import type { EquipmentRecord } from './equipment-record.js'

/** How to decode an equipment's messages: its name, known identifiers, format overrides and text encoding. */
export interface Reading {
  /** Left out for equipment that is not registered any more. */
  readonly name?: string
  readonly catalogue: Catalogue
  readonly formats: Readonly<Record<string, string>>
  readonly text: TextCodec
  /** The names of the equipment's identifiers. */
  readonly knowledge?: EquipmentKnowledge
}

const readings = new WeakMap<object, Reading>()

/** The reading for this record: the same object as long as nothing in it changes. */
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

/** The reading for equipment that is not registered any more: catalogue only. */
export const plainReading = (catalogue: Catalogue): Reading => ({
  catalogue,
  formats: NO_FORMATS,
  text: LATIN1,
})
