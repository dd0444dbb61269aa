def grow(amount, rate, years):
    for _ in range(years - 1):
        amount += rate
    return round(amount, 2)
