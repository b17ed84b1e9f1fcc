import type { Model } from './model.js'
import { readModel } from './model-file.js'
import etcher from './models/etcher.json' with { type: 'json' }
import minimal from './models/minimal.json' with { type: 'json' }

const FILES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['etcher', etcher],
  ['minimal', minimal],
])

/** The models that come with secsctl, by name. */
export const SHIPPED_MODELS: readonly string[] = [...FILES.keys()]

/** A model that comes with secsctl; undefined when there is none of this name. */
export function shippedModel(name: string): Model | undefined {
  const file = FILES.get(name)
  return file === undefined ? undefined : readModel(file)
}
