import type { Model } from './model.js'
import { parseModel } from './model-file.js'
import etch300 from './models/etch300.yaml'
import etcher from './models/etcher.yaml'
import furnace from './models/furnace.yaml'
import minimal from './models/minimal.yaml'
import track from './models/track.yaml'

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['etcher', etcher],
  ['track', track],
  ['furnace', furnace],
  ['minimal', minimal],
  ['etch300', etch300],
])

const models = new Map<string, Model>()

/** The models that come with secsctl, by name. */
export const SHIPPED_MODELS: readonly string[] = [...TEXTS.keys()]

/** The file of a model that comes with secsctl; undefined when there is none of this name. */
export const shippedText = (name: string): string | undefined => TEXTS.get(name)

/** A model that comes with secsctl, read once; undefined when there is none of this name. */
export function shippedModel(name: string): Model | undefined {
  const text = TEXTS.get(name)
  if (text === undefined) return undefined
  const known = models.get(name) ?? parseModel(text, name)
  models.set(name, known)
  return known
}
