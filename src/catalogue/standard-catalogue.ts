import { Catalogue } from './catalogue.js'
import { ITEMS } from './items/all-items.js'
import { STANDARD_ROWS } from './rows/standard-rows.js'

/** What SEMI's standards name, as far as public documents tell. */
export const STANDARD_CATALOGUE = new Catalogue(STANDARD_ROWS, ITEMS)
