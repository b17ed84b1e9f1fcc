import { extendCatalogue, SiteFileError } from '../../src/catalogue/site/site-catalogue.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'

export type Json = Readonly<Record<string, unknown>>
/** The catalogue with a site’s file, which is called `site.json`. */
export const extend = (file: Json | string) =>
  extendCatalogue(STANDARD_CATALOGUE, typeof file === 'string' ? file : JSON.stringify(file), 'site.json')

/** What is wrong with a file, as pointers and sentences. */
export function problems(file: Json | string): readonly (readonly [string, string])[] {
  try {
    extend(file)
  } catch (error) {
    if (error instanceof SiteFileError) return error.problems.map(({ pointer, detail }) => [pointer, detail])
    throw error
  }
  return []
}

/** A message of a site, with what is said otherwise. */
export const message = (changes: Json): Json => ({
  stream: 65,
  function: 1,
  name: 'X',
  direction: 'host',
  w_bit: 'forbidden',
  structure: '<TEXT>',
  ...changes,
})
/** An item of a site, with what is said otherwise. */
export const item = (changes: Json): Json => ({ name: 'X', formats: ['A'], meaning: 'x', ...changes })
