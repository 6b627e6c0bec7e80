/** Notices: what the log and the counters are told. */
