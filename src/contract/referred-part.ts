/** A part of a document, or the one that its `$ref` (`#/components/…`) leads to. */
export function referredPart<T extends object>(document: object, part: T | { readonly $ref: string }): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T
  const steps = part.$ref.slice('#/'.length).split('/')
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T
}
