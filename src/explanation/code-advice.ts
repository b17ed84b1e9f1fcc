import { type Advice, advice } from './explanation.js'

const DONE = `Nothing is wrong here.
  secsctl messages list --equipment EQ --limit 5`
const LATER = `Wait a moment, and send it again.
  secsctl messages list --equipment EQ --limit 5`
const DEFINED = `Reports and links are still there from before. The order that works: disable all events (S2F37), delete all reports (S2F33), define, link (S2F35), enable (S2F37).
  secsctl catalogue describe S2F33
  secsctl catalogue describe S2F35`
const NO_SPACE = `Delete what nobody uses any more, or ask for less at once.
  secsctl catalogue describe S2F33`

/** What to do about the acknowledge codes that are met most. */
export const CODE_ADVICE: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  HCACK: {
    0: DONE,
    1: `Spell the command as the manual of the equipment does: capitals count. It may also be one that this control state does not have.
      secsctl messages list --equipment EQ --message S2F41 --limit 5
      secsctl equipment show EQ`,
    2: `The equipment is in another state than the command needs: it is processing, or is in local control. Look at its state, and send the command when it is ready.
      secsctl equipment show EQ
      secsctl equipment wait EQ --for online-remote`,
    3: `A parameter is missing, has a wrong name, value or format. The reply names it with a CPACK; the reply is in the journal.
      secsctl messages list --equipment EQ --message S2F42 --limit 1
      secsctl explain CPACK=2`,
    4: `Accepted: an event (S6F11) reports when it is done. Check whether it has come, or follow the events.
      secsctl messages list --equipment EQ --message S6F11 --limit 5
      secsctl events tail --equipment EQ --name message_received --since 1m`,
    5: `The equipment is in the wanted state already. Most scripts can continue.
      secsctl equipment show EQ`,
    6: `The object that the command names does not exist: a recipe, a carrier or a port.
      secsctl messages list --equipment EQ --message S2F42 --limit 1`,
  },
  CPACK: {
    1: `The equipment has no parameter of this name for this command. Capitals count.
      secsctl catalogue describe S2F41`,
    2: `The value is outside what the equipment accepts.
      secsctl messages list --equipment EQ --message S2F41 --limit 5`,
    3: `The value has another format than the equipment expects, often a number instead of text, or text instead of a number. Give the format with the value.
      secsctl send EQ S2F41 RCMD=START 'PARAMS:=[{"CPNAME":"SLOT","CPVAL":{"U1":[1]}}]' --dry-run
      secsctl explain U1`,
  },
  COMMACK: {
    0: DONE,
    1: `The equipment refuses to communicate now: its operator has disabled communication, or it communicates with another host. The gateway asks again after the establish delay.
      secsctl equipment show EQ`,
  },
  ONLACK: {
    0: DONE,
    1: `The operator of the equipment keeps it offline, and has to change it there.
      secsctl equipment show EQ`,
    2: `It was online already. Nothing is wrong here.
      secsctl equipment show EQ`,
  },
  OFLACK: { 0: DONE },
  ACKC5: {
    0: DONE,
    1: `The alarm message was not taken. The equipment may send it again.
      secsctl catalogue describe S5F1`,
  },
  ACKC6: {
    0: DONE,
    1: `The data were not taken. Equipment that spools keeps them.
      secsctl catalogue describe S6F11`,
  },
  ACKC7: {
    0: DONE,
    1: `The equipment allows it in another state only, or in remote control.
      secsctl equipment show EQ`,
    4: `There is no recipe of this name on the equipment. Capitals and the folder count.
      secsctl recipes list EQ`,
    6: `Accepted: it is done later, and verified then.
      secsctl events tail --equipment EQ`,
    7: `Delete recipes that nobody uses any more.
      secsctl recipes list EQ`,
  },
  DRACK: {
    0: DONE,
    1: NO_SPACE,
    2: `An ID has another format than the equipment expects. Its record can name the format.
      secsctl equipment update EQ --format RPTID=U2
      secsctl catalogue describe S2F33`,
    3: DEFINED,
    4: `One of the VIDs does not exist. The equipment lists them.
      secsctl variables list EQ`,
  },
  LRACK: {
    0: DONE,
    1: NO_SPACE,
    2: `An ID has another format than the equipment expects. Its record can name the format.
      secsctl equipment update EQ --format CEID=U2`,
    3: DEFINED,
    4: `One of the CEIDs does not exist. The equipment, or its manual, lists them.
      secsctl reports list EQ`,
    5: `Define the report before it is linked (S2F33).
      secsctl catalogue describe S2F33`,
  },
  ERACK: {
    0: DONE,
    1: `One of the CEIDs does not exist, and nothing was changed. The equipment, or its manual, lists them.
      secsctl reports list EQ`,
  },
  EAC: {
    0: DONE,
    1: `One of the ECIDs does not exist. The equipment lists them.
      secsctl constants list EQ`,
    2: LATER,
    3: `A value is outside its limits; S2F30 of the equipment has them.
      secsctl constants list EQ`,
  },
  TIACK: {
    0: DONE,
    1: `The equipment gets its time from elsewhere, or expects another form of TIME.
      secsctl clock show EQ`,
  },
  RSDA: {
    0: DONE,
    1: LATER,
    2: `There is nothing to fetch. Nothing is wrong here.
      secsctl equipment show EQ`,
  },
  GRANT: { 0: DONE, 1: LATER },
  PPGNT: { 0: DONE, 4: LATER },
}

const UNLISTED_YES = `It says yes. Nothing is wrong here.
  secsctl messages list --equipment EQ --limit 5`
const UNLISTED_NO = `Compare the request with what the equipment has and allows in its state: its manual says which.
  secsctl messages list --equipment EQ --limit 5
  secsctl equipment show EQ`

/** What to do about a value of a code; `accepted` is undefined for a code that answers nothing. */
export function adviceOn(item: string, code: number, accepted: boolean | undefined): Advice {
  const known = CODE_ADVICE[item]?.[code]
  if (known !== undefined) return advice(known)
  if (accepted !== undefined) return advice(accepted ? UNLISTED_YES : UNLISTED_NO)
  return advice(`Its message and the other values of the code are in the catalogue.
    secsctl catalogue describe ${item}`)
}
