import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../vectors/', import.meta.url)

/** The vectors of a file in test/vectors. Each says in `why` where its facts come from. */
export const vectors = <T>(file: string): (T & { readonly name: string; readonly why: string })[] =>
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))

export const hexBytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A body as it is in every notation: what test/vectors/bodies holds, repetitions written out. */
export interface BodyVector {
  readonly file: string
  /** What it is the body of, such as `S1F13 W`; a body of no message in particular when left out. */
  readonly message?: string
  readonly hex: string
  /** What is written when it is read, where that has fewer length bytes. */
  readonly minimal?: string
  /** Canonical, with all of Latin-1. */
  readonly sml: string
  /** Null for a header alone. */
  readonly json: unknown
  /** What the JSON is written as, where it cannot say all that the bytes do. */
  readonly json_hex?: string
  readonly why: string
}

/** The vectors of test/vectors/bodies. `{{61*256}}` stands for 256 times what is before the star. */
export const bodyVectors: readonly BodyVector[] = readdirSync(new URL('bodies/', FOLDER)).flatMap((file) =>
  vectors<BodyVector>(`bodies/${file}`).map((row) => ({
    ...row,
    file,
    hex: hexText(row.hex),
    sml: repeated(row.sml),
    json: grown(row.json),
    ...(row.minimal !== undefined && { minimal: hexText(row.minimal) }),
    ...(row.json_hex !== undefined && { json_hex: hexText(row.json_hex) }),
  })),
)

/** Hex without its spaces, repetitions written out. */
export function hexText(text: string): string {
  return repeated(text).replaceAll(' ', '')
}

function repeated(text: string): string {
  return text.replace(/\{\{([^{}]*?) ?\*(\d+)\}\}/gs, (_, what: string, times: string) =>
    what.repeat(Number(times)),
  )
}

/** JSON with `{ repeat, times }` in its arrays and `{ nested: n }`, a list n deep, written out. */
function grown(json: unknown): unknown {
  if (typeof json === 'string') return repeated(json)
  if (Array.isArray(json)) return json.flatMap(elements)
  if (typeof json !== 'object' || json === null) return json
  if ('nested' in json) return nested(Number(json.nested))
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, grown(value)]))
}

function elements(json: unknown): readonly unknown[] {
  if (typeof json !== 'object' || json === null || !('repeat' in json && 'times' in json))
    return [grown(json)]
  return new Array<unknown>(Number(json.times)).fill(json.repeat)
}

function nested(depth: number): unknown {
  let json: unknown = { L: [] }
  for (let above = 1; above < depth; above++) json = { L: [json] }
  return json
}
