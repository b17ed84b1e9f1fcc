import type { GivenValue } from '../../catalogue/structure/structure-data.js'

/** An identifier as it is built: digits as a number, anything else as text. */
export const givenId = (id: string): GivenValue => (/^[0-9]+$/.test(id) ? id : { A: id })
