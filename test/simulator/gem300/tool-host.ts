import type { Exchange, SecsMessage } from '../../../src/gem/conversation.js'
import { controlJobAttributes } from '../../../src/gem300/control-job-attributes.js'
import {
  type BODIES,
  type BodyContent,
  type BodyName,
  buildBody,
  readBody,
} from '../../../src/gem300/messages/bodies.js'
import { type Item, U1 } from '../../../src/secs2/item.js'
import { type ToolSettings, viewOf } from '../../../src/simulator/gem300/tool-settings.js'

type Reply = keyof typeof BODIES

/** What a host says to a GEM 300 tool with these settings, over any conversation. */
export class ToolHost {
  readonly #view

  constructor(
    private readonly settings: ToolSettings,
    private readonly request: (message: SecsMessage) => Promise<Exchange>,
  ) {
    this.#view = viewOf(settings)
  }

  /** The reply; throws where there is none. */
  async ask<Name extends BodyName, Secondary extends Reply>(
    name: Name,
    reply: Secondary,
    content: BodyContent<Name>,
  ): Promise<BodyContent<Secondary>> {
    const [stream = 0, fn = 0] = name.slice(1).split('F').map(Number)
    return this.#exchange({ stream, function: fn, item: buildBody(name, content, this.#view) }, reply)
  }

  carrier(
    CARRIERACTION: string,
    CARRIERID: string,
    PTN?: number,
    attributes: Readonly<Record<string, Item>> = {},
  ) {
    const ATTRIBUTES = Object.entries(attributes).map(([CATTRID, CATTRDATA]) => ({ CATTRID, CATTRDATA }))
    return this.ask('S3F17', 'S3F18', { DATAID: 1, CARRIERACTION, CARRIERID, PTN, ATTRIBUTES })
  }

  port(PORTACTION: string, PTN: number, params: Readonly<Record<string, number>> = {}) {
    const PARAMS = Object.entries(params).map(([PARAMNAME, value]) => ({ PARAMNAME, PARAMVAL: U1(value) }))
    return this.ask('S3F25', 'S3F26', { PORTACTION, PTN, PARAMS })
  }

  /** By the message that this tool takes. */
  async createJob(id: string, carrier: string, slots: readonly number[] = [], startsByItself = true) {
    const job = {
      PRJOBID: id,
      MF: 'CARRIER' as const,
      MATERIAL: [{ CARRIERID: carrier, SLOTID: slots }],
      RECIPE: { PRRECIPEMETHOD: 'RECIPE_ONLY' as const, RCPSPEC: 'OXIDE-ETCH-01', PARAMS: [] },
      PRPROCESSSTART: startsByItself,
      PRPAUSEEVENTID: [],
    }
    if (this.settings.jobCreation === 'S16F11')
      return (await this.ask('S16F11', 'S16F12', { DATAID: 1, ...job })).RESULT
    return (await this.ask('S16F15', 'S16F16', { DATAID: 1, JOBS: [job] })).RESULT
  }

  async createControlJob(
    id: string,
    carriers: readonly string[],
    jobs: readonly string[],
    startsByItself = true,
  ) {
    const given = { id, carriers, processJobs: jobs, order: 'LIST' as const, startsByItself }
    const content = {
      OBJSPEC: this.settings.objspec,
      OBJTYPE: 'ControlJob',
      ATTRIBUTES: controlJobAttributes(given, this.#view),
    }
    return (await this.ask('S14F9', 'S14F10', content)).RESULT
  }

  async command(job: string, PRCMDNAME: string) {
    return (await this.ask('S16F5', 'S16F6', { DATAID: 1, PRJOBID: job, PRCMDNAME, PARAMS: [] })).RESULT
  }

  control(
    CTLJOBID: string,
    CTLJOBCMD: BodyContent<'S16F27'>['CTLJOBCMD'],
    CPVAL?: 'SAVE_JOBS' | 'REMOVE_JOBS',
  ) {
    const ACTION = CPVAL && { CPNAME: 'Action', CPVAL }
    return this.ask('S16F27', 'S16F28', { CTLJOBID, CTLJOBCMD, ACTION })
  }

  get(OBJTYPE: string, OBJID: readonly string[] = [], ATTRID: readonly string[] = []) {
    return this.ask('S14F1', 'S14F2', { OBJSPEC: '', OBJTYPE, OBJID, FILTERS: [], ATTRID })
  }

  jobStates() {
    return this.#exchange({ stream: 16, function: 19, item: undefined }, 'S16F20')
  }

  space() {
    return this.#exchange({ stream: 16, function: 21, item: undefined }, 'S16F22')
  }

  async #exchange<Secondary extends Reply>(
    message: SecsMessage,
    reply: Secondary,
  ): Promise<BodyContent<Secondary>> {
    const exchange = await this.request(message)
    if (exchange.kind !== 'replied')
      throw new Error(`S${message.stream}F${message.function}: ${exchange.kind}`)
    return readBody(reply, exchange.item, this.#view)
  }
}
