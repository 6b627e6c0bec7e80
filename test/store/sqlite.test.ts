/** The SQLite store passes the store contract. */
import { storeContract } from './contract.ts'
import { openInFolder } from './folder.ts'

storeContract('SQLite', openInFolder)
