import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.js'

/** How much an `Accept` header wants `type`, 0 to 1, 0 when it does not take it (RFC 9110). */
export function quality(accept: string | undefined, type: string): number {
  if (accept === undefined || accept.trim() === '') return 1
  const family = `${type.split('/', 1)[0]}/*`
  let best = { exactness: 0, quality: 0 }
  for (const range of accept.split(',', 64)) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const exactness = [`*/*`, family, type].indexOf(name) + 1
    if (exactness <= best.exactness) continue
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    best = { exactness, quality: Number.isNaN(q) ? 0 : q }
  }
  return best.quality
}

/** The type that the caller likes best, the first of equals. Throws `not_acceptable` for one that takes none. */
export function accepted<Type extends string>(
  request: FastifyRequest,
  types: readonly [Type, ...Type[]],
): Type {
  if (request.headers.accept === undefined) return types[0]
  const qualities = types.map((type) => quality(request.headers.accept, type))
  const best = Math.max(...qualities)
  if (best === 0) {
    const list = types.join(' or ')
    throw new Problem(
      'not_acceptable',
      `This endpoint returns ${list}: name it in Accept, or leave Accept out.`,
    )
  }
  return types[qualities.indexOf(best)] ?? types[0]
}
