/** Code of the `notice` that what nobody may change unasked changed while a job ran; also behind the end of a session's last turn. */
export const jobChanged = "job_changed";
