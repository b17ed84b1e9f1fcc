import { categoryOf } from '../../catalogue/codes.js'
import type { AlarmChoice, AlarmsSwitched, EquipmentAlarm } from '../../contract/equipment-alarms.js'
import { Problem } from '../../contract/errors.js'
import type { SendQuery } from '../../contract/messages.js'
import type { Page } from '../../contract/schema.js'
import { unpadded } from '../../gem/content.js'
import { L } from '../../secs2/item.js'
import { verdictOf } from './acknowledged.js'
import { onePage } from './answered-values.js'
import type { Answered, Asking } from './asking.js'
import { givenId } from './given-id.js'
import type { EquipmentAlarms } from './services.js'

/** ALCD: the alarm is set. */
const SET = 0x80
const CATEGORY = 0x7f

/** ALED. */
const ENABLE = 128
const DISABLE = 0

/** The alarms that an equipment has (S5F5, S5F7), and whether it reports them (S5F3). */
export class GemAlarms implements EquipmentAlarms {
  constructor(private readonly asking: Asking) {}

  async list(equipmentId: string, options: SendQuery): Promise<Page<EquipmentAlarm>> {
    const { content } = await this.#all(equipmentId, options)
    const enabled = content.ROWS.length > 0 ? await this.#enabled(equipmentId, options) : undefined
    return onePage(
      content.ROWS.map(({ ALCD, ALID, ALTX }) => ({
        alid: String(ALID),
        text: unpadded(ALTX),
        set: (Number(ALCD) & SET) !== 0,
        category: Number(ALCD) & CATEGORY,
        category_text: categoryOf(Number(ALCD)),
        enabled: enabled?.has(String(ALID)) ?? null,
      })),
    )
  }

  async switch(
    equipmentId: string,
    enabled: boolean,
    { alid, all = false }: AlarmChoice,
    options: SendQuery,
  ): Promise<AlarmsSwitched> {
    if (all === (alid !== undefined)) {
      throw new Problem('invalid_request', 'Give either alid or all, and all as true.', {
        errors: [{ pointer: '/alid', detail: all ? 'may not stand beside all' : 'is required without all' }],
      })
    }
    // No ALID at all stands for every alarm.
    const data = {
      ALED: enabled ? ENABLE : DISABLE,
      ...(alid !== undefined && { ALID: givenId(alid) }),
    }
    const said = await this.asking.acknowledge(equipmentId, 'S5F3', data, options)
    return { ackc5: said.code, ackc5_text: said.text, ...verdictOf(said) }
  }

  /** Some equipment refuses the empty array that stands for all alarms (SxF0, S9F7), but accepts an empty list. */
  async #all(equipmentId: string, options: SendQuery): Promise<Answered<'S5F5'>> {
    try {
      return await this.asking.ask<'S5F5'>(equipmentId, 'S5F5', {}, options)
    } catch (error) {
      const isRefused =
        error instanceof Problem && (error.code === 'transaction_aborted' || error.code === 'equipment_error')
      if (!isRefused) throw error
      return this.asking.askBody<'S5F5'>(equipmentId, 'S5F5', L(), options)
    }
  }

  /** The ALIDs of enabled alarms; undefined where the equipment does not support S5F7, as is common. */
  async #enabled(equipmentId: string, options: SendQuery): Promise<ReadonlySet<string> | undefined> {
    try {
      const { content } = await this.asking.ask(equipmentId, 'S5F7', {}, options)
      return new Set(content.ROWS.map(({ ALID }) => String(ALID)))
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'equipment' || error.code === 'connection_lost')
        throw error
      return undefined
    }
  }
}
