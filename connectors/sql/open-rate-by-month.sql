-- The open rate of each month: the sum of opens by the sum of recipients, not an average of rates.
SELECT
  date_trunc('month', sent_on)::date AS month,
  sum(unique_opens)::float8 / nullif(sum(recipient_count), 0) AS open_rate,
  count(*) AS campaigns
FROM analytics_1.emails
WHERE unique_opens IS NOT NULL AND recipient_count IS NOT NULL
GROUP BY 1
ORDER BY 1;
