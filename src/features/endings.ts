/** Whether a request of a feature is over, so that an approval of it would earn nothing. */
import type { Piece } from '../store/sql/statement.ts'
import { matchOverDevice } from './device/open.ts'

/** @param id of the request, as its journey has it @param owner who approves @param at unix seconds */
export type MatchOver = (id: Piece, owner: Piece, at: number) => Piece

export const featureEndings: readonly MatchOver[] = [matchOverDevice]
