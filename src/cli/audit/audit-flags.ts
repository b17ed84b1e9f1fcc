import { Flags } from '@oclif/core'
import { endpoints } from '../../contract/endpoints.js'
import { SELECTOR_FLAG } from '../equipment/label-flags.js'
import { textFlag } from '../input/flags.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'

/** What narrows the audit. */
export const AUDIT_FLAGS = {
  equipment: EQUIPMENT_FLAG,
  selector: SELECTOR_FLAG,
  user: textFlag('EMAIL', 'Only of this user.'),
  key: textFlag('NAME', 'Only of this API key.'),
  action: Flags.option({
    // `resetAdmin` is what `daemon reset-admin` records: no call of the API does it.
    options: [...Object.keys(endpoints), 'resetAdmin'].sort(),
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'ACTION',
    summary: 'Only this call of the API, such as sendCommand or login. May be repeated.',
  })(),
}
