import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Gem300Variants } from '../../gem300/variants.js'
import { LATIN1, type TextCodec, textCodec } from '../../secs2/text.js'
import type { EquipmentKnowledge } from '../knowledge/equipment-knowledge.js'
import type { EquipmentRecord } from './equipment-record.js'

/** How to decode an equipment's messages: its name, known identifiers, format overrides and text encoding. */
export interface Reading {
  /** Of equipment that is not registered any more the last one; left out where that is not known. */
  readonly name?: string
  readonly catalogue: Catalogue
  readonly formats: Readonly<Record<string, string>>
  readonly text: TextCodec
  /** The names of the equipment's identifiers. */
  readonly knowledge?: EquipmentKnowledge
  /** What differs in its messages of GEM 300; left out for what most equipment has. */
  readonly gem300?: Gem300Variants
}

export const readingBy = (
  { name, item_formats, text_encoding }: Pick<EquipmentRecord, 'name' | 'item_formats' | 'text_encoding'>,
  catalogue: Catalogue,
  knowledge: EquipmentKnowledge,
): Reading => ({ name, catalogue, formats: item_formats, text: textCodec(text_encoding), knowledge })

/** The reading for equipment that is not registered any more: catalogue only. */
export const plainReading = (catalogue: Catalogue): Reading => ({ catalogue, formats: {}, text: LATIN1 })
